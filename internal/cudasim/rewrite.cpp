/* rewrite.cpp - what the fake NVRTC does to a preprocessed text before g++ compiles it, and to g++'s messages afterwards. No parser: kernels are found by
 * their qualifier, namespaces by their braces. */
#include <ctype.h>
#include <string.h>

#include <set>

#include "nvrtc.h"

namespace fake {
namespace {

struct Token {
  std::string text;
  size_t at;
};

bool word(char c) { return isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/* Names and single signs; strings are one token, line markers none. */
std::vector<Token> tokens(const std::string &s) {
  std::vector<Token> list;
  bool line_begins = true;
  for (size_t i = 0; i < s.size();) {
    char c = s[i];
    size_t from = i;
    if (c == '#' && line_begins) {
      while (i < s.size() && s[i] != '\n') i++;
      continue;
    }
    if (c == '\n') line_begins = true;
    if (isspace(static_cast<unsigned char>(c))) {
      i++;
      continue;
    }
    line_begins = false;
    if (c == '"' || c == '\'') {
      for (i++; i < s.size() && s[i] != c && s[i] != '\n'; i++)
        if (s[i] == '\\') i++;
      i++;
    } else if (word(c)) {
      while (i < s.size() && (word(s[i]) || (s[i] == '\'' && isdigit(static_cast<unsigned char>(c))))) i++;
    } else {
      i++;
    }
    list.push_back({s.substr(from, i - from), from});
  }
  return list;
}

/* From the qualifier to the parenthesis of the parameters. */
Kernel head(const std::vector<Token> &t, size_t i) {
  Kernel k;
  for (i++; i < t.size() && t[i].text != "{" && t[i].text != ";"; i++) {
    if (t[i].text == "(") return k;
    if (!word(t[i].text[0])) continue;
    if (i + 1 < t.size() && t[i + 1].text == "(" && (t[i].text == "__launch_bounds__" || t[i].text == "__attribute__" || t[i].text == "alignas")) {
      bool bounds = t[i].text == "__launch_bounds__", first = true;
      int depth = 0;
      for (i++; i < t.size(); i++) {
        if (t[i].text == ")" && --depth == 0) break;
        if (t[i].text == "," && depth == 1) first = false;
        if (bounds && first && depth > 0) k.bounds += t[i].text + " ";
        if (t[i].text == "(") depth++;
      }
      continue;
    }
    k.name = t[i].text;
  }
  k.name.clear();
  return k;
}

/* g++ knows these, NVRTC does not. */
bool unknown(const std::string &x) {
  static const std::set<std::string> known = {"__builtin_assume", "__builtin_expect", "__builtin_unreachable", "__builtin_assume_aligned"};
  static const std::set<std::string> not_there = {"__int128", "__float128", "thread_local", "try", "memmove"};
  if (hip && x.compare(0, 17, "__builtin_amdgcn_") == 0) return false;
  return (x.compare(0, 10, "__builtin_") == 0 && !known.count(x)) || not_there.count(x);
}

/* `extern __shared__ TYPE NAME[];` becomes a pointer to the dynamic shared memory of a block; a word that NVRTC does not know becomes an unused name. */
std::string replaced(const std::string &text) {
  std::string result;
  size_t done = 0;
  auto put = [&](size_t from, size_t to, const std::string &instead) {
    result += text.substr(done, from - done) + instead;
    done = to;
  };
  std::vector<Token> t = tokens(text);
  auto end = [&](size_t i) { return t[i].at + t[i].text.size(); };
  for (size_t i = 0; i < t.size(); i++) {
    if (unknown(t[i].text)) put(t[i].at, end(i), t[i].text + "_is_not_in_NVRTC");
    if (i + 1 >= t.size() || t[i + 1].text != "__shared__") continue;
    if (t[i].text == "static") put(t[i].at, end(i), "");
    if (t[i].text != "extern") continue;
    size_t semicolon = i + 2, type = i + 2;
    while (semicolon < t.size() && t[semicolon].text != ";") semicolon++;
    if (semicolon == t.size() || semicolon < i + 6 || t[semicolon - 1].text != "]" || t[semicolon - 2].text != "[") continue;
    if ((t[type].text == "__align__" || t[type].text == "__attribute__") && t[type + 1].text == "(") {
      int depth = 0;
      for (type++; type < semicolon; type++) {
        depth += t[type].text == "(" ? 1 : t[type].text == ")" ? -1 : 0;
        if (depth == 0) break;
      }
      type++;
    }
    size_t name = semicolon - 3;
    if (type >= name) continue;
    std::string of = text.substr(t[type].at, t[name].at - t[type].at);
    put(t[i].at, end(semicolon), "static " + of + "*const " + t[name].text + " = (" + of + "*)fake_dynamic_shared;");
  }
  return result + text.substr(done);
}

/* "file:3:5: error: text", cut into its parts. */
bool cut(const std::string &line, std::string (&parts)[4]) {
  for (const char *kind : {"fatal error", "error", "warning"}) {
    size_t at = line.find(std::string(": ") + kind + ": ");
    if (at == std::string::npos) continue;
    std::string place = line.substr(0, at);
    size_t column = place.rfind(':'), number = column == std::string::npos ? column : place.rfind(':', column - 1);
    if (number == std::string::npos || !isdigit(static_cast<unsigned char>(place[number + 1]))) return false;
    parts[0] = place.substr(0, number), parts[1] = place.substr(number + 1, column - number - 1), parts[2] = kind;
    parts[3] = line.substr(at + strlen(kind) + 4);
    return true;
  }
  return false;
}

}  // namespace

std::string rewrite(const std::string &text, std::vector<Kernel> *kernels) {
  std::string result = replaced(text);
  std::vector<Token> t = tokens(result);
  std::vector<std::string> scopes; /* names of namespaces; "" for other braces */
  std::set<std::string> seen;
  bool template_open = false;
  for (size_t i = 0; i < t.size(); i++) {
    const std::string &x = t[i].text;
    if (x == "namespace" && i + 1 < t.size() && (i == 0 || t[i - 1].text != "using")) {
      std::string name;
      size_t j = i + 1;
      for (; j < t.size() && (word(t[j].text[0]) || t[j].text == ":"); j++) name += t[j].text;
      if (j < t.size() && t[j].text == "{") {
        scopes.push_back(name.empty() ? "" : name + "::");
        i = j;
      }
    } else if (x == "{") {
      scopes.push_back("");
      template_open = false;
    } else if (x == "}") {
      if (!scopes.empty()) scopes.pop_back();
      template_open = false;
    } else if (x == ";") {
      template_open = false;
    } else if (x == "template") {
      template_open = true;
    } else if (x == "__global__" && !template_open) {
      Kernel k = head(t, i);
      if (k.name.empty()) continue;
      std::string full = "::";
      for (const std::string &s : scopes) full += s;
      k.name = full + k.name;
      if (seen.insert(k.name).second) {
        kernels->push_back(k);
      } else if (!k.bounds.empty()) {
        for (Kernel &other : *kernels)
          if (other.name == k.name) other.bounds = k.bounds;
      }
    }
  }
  return result;
}

/* "file:3:5: error: text" becomes "file(3): error: text". */
std::string log_of(const std::string &messages, const std::string &program, bool warnings) {
  static const char missing[] = ": No such file or directory";
  std::string log;
  int errors = 0;
  for (size_t at = 0; at < messages.size();) {
    size_t end = messages.find('\n', at);
    std::string one = messages.substr(at, end - at);
    at = end == std::string::npos ? messages.size() : end + 1;
    std::string part[4];
    if (!cut(one, part)) continue;
    if (part[2] == "warning") {
      if (warnings) log += part[0] + "(" + part[1] + "): warning: " + part[3] + "\n\n";
      continue;
    }
    errors++;
    static const char nowhere[] = "no include path in which to search for ";
    if (part[3].compare(0, strlen(nowhere), nowhere) == 0) part[3] = "cannot open source file \"" + part[3].substr(strlen(nowhere)) + "\"", part[2] = "fatal error";
    if (part[2] == "fatal error") part[2] = "catastrophic error";
    size_t tail = part[3].size() > strlen(missing) ? part[3].size() - strlen(missing) : 0;
    if (tail && part[3].compare(tail, std::string::npos, missing) == 0) part[3] = "cannot open source file \"" + part[3].substr(0, tail) + "\"";
    log += part[0] + "(" + part[1] + "): " + part[2] + ": " + part[3] + "\n\n";
  }
  if (errors)
    log += std::to_string(errors) + (errors == 1 ? " error" : " errors") + " detected in the compilation of \"" + program + "\".\n";
  else if (log.empty() && !messages.empty() && messages.find("error") != std::string::npos)
    log = messages; /* of the assembler or the linker */
  return log;
}

}  // namespace fake
