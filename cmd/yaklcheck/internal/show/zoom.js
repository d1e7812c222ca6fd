// zoom.js - zooms the pictures of the page: buttons above each, the wheel with Ctrl, a double
// click; a zoomed picture is moved by dragging it. It changes only the viewBox.
"use strict";
const closest = 64;

function closer(picture) {
  const home = picture.getAttribute("viewBox").split(" ").map(Number);
  let view = home.slice();
  const set = (x, y, width) => {
    const height = width / home[2] * home[3];
    view = [Math.min(Math.max(x, home[0]), home[0] + home[2] - width), Math.min(Math.max(y, home[1]), home[1] + home[3] - height), width, height];
    picture.setAttribute("viewBox", view.join(" "));
    picture.classList.toggle("closer", width < home[2]);
  };
  // The point (x, y), in parts of what is shown, stays where it is.
  const zoom = (factor, x, y) => {
    const width = Math.min(home[2], Math.max(home[2] / closest, view[2] / factor));
    const height = width / home[2] * home[3];
    set(view[0] + x * (view[2] - width), view[1] + y * (view[3] - height), width);
  };
  const part = (event) => {
    const box = picture.getBoundingClientRect();
    return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
  };
  const bar = document.createElement("p");
  bar.className = "zoom";
  for (const [text, name, act] of [["+", "closer", () => zoom(2, 0.5, 0.5)], ["\u2212", "farther", () => zoom(0.5, 0.5, 0.5)],
    ["whole", "the whole picture", () => set(home[0], home[1], home[2])]]) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.setAttribute("aria-label", name);
    button.addEventListener("click", act);
    bar.append(button);
  }
  picture.before(bar);
  picture.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return; // the wheel alone moves the page
    event.preventDefault();
    zoom(event.deltaY < 0 ? 1.25 : 0.8, ...part(event));
  }, { passive: false });
  picture.addEventListener("dblclick", (event) => zoom(2, ...part(event)));
  let last = null;
  picture.addEventListener("pointerdown", (event) => { last = part(event); });
  picture.addEventListener("pointermove", (event) => {
    if (!last || !(event.buttons & 1)) return;
    const now = part(event);
    set(view[0] + (last[0] - now[0]) * view[2], view[1] + (last[1] - now[1]) * view[3], view[2]);
    last = now;
  });
  return { zoom, set, view: () => view };
}

for (const picture of document.querySelectorAll("svg")) closer(picture);
