// zoom_test.js FILE - runs zoom.js (FILE) on a picture that is a few properties, and says what the viewBox is after each act.
"use strict";
const assert = require("assert");
const attributes = { viewBox: "0 0 1110 322" }, heard = {}, classes = new Set();
let buttons = [];
const picture = {
  getAttribute: (name) => attributes[name],
  setAttribute: (name, value) => { attributes[name] = value; },
  classList: { toggle: (name, on) => (on ? classes.add(name) : classes.delete(name)) },
  getBoundingClientRect: () => ({ left: 10, top: 20, width: 555, height: 161 }),
  before: (bar) => { buttons = bar.children; },
  addEventListener: (name, act) => { heard[name] = act; },
};
global.document = {
  querySelectorAll: (what) => (what === "svg" ? [picture] : []),
  createElement: () => {
    const element = { children: [], setAttribute() {}, addEventListener: (name, act) => { element[name] = act; }, append: (child) => element.children.push(child) };
    return element;
  },
};
require("vm").runInThisContext(require("fs").readFileSync(process.argv[2], "utf8"));
const view = () => attributes.viewBox.split(" ").map((n) => Math.round(Number(n) * 100) / 100);
const whole = [0, 0, 1110, 322];

assert.strictEqual(buttons.length, 3);
buttons[0].click();
assert.deepStrictEqual(view(), [277.5, 80.5, 555, 161]);
assert(classes.has("closer"));
buttons[1].click();
assert.deepStrictEqual(view(), whole);
buttons[1].click();
assert.deepStrictEqual(view(), whole, "not farther than the whole");
assert(!classes.has("closer"));

// A double click keeps the point that it is at.
heard.dblclick({ clientX: 10, clientY: 20 });
assert.deepStrictEqual(view(), [0, 0, 555, 161]);
// Dragging stops at the edge.
heard.pointerdown({ clientX: 100, clientY: 100 });
heard.pointermove({ clientX: 45, clientY: 100, buttons: 1 });
assert.deepStrictEqual(view(), [55, 0, 555, 161]);
heard.pointermove({ clientX: 4000, clientY: 4000, buttons: 1 });
assert.deepStrictEqual(view(), [0, 0, 555, 161]);
heard.pointermove({ clientX: 0, clientY: 0, buttons: 0 });
assert.deepStrictEqual(view(), [0, 0, 555, 161], "no button is down");

let prevented = 0;
const wheel = (deltaY, ctrlKey) => heard.wheel({ deltaY, ctrlKey, clientX: 10, clientY: 20, preventDefault: () => prevented++ });
wheel(-1, false);
assert.deepStrictEqual([view(), prevented], [[0, 0, 555, 161], 0], "the wheel alone is the page's");
wheel(-1, true);
assert.deepStrictEqual([view(), prevented], [[0, 0, 444, 128.8], 1]);
for (let i = 0; i < 100; i++) wheel(-1, true);
assert.strictEqual(view()[2], Math.round(1110 / 64 * 100) / 100, "there is a closest");
buttons[2].click();
assert.deepStrictEqual(view(), whole);
