/* rewrite.cpp - what the fake NVRTC does to a preprocessed text before g++ compiles it, and to g++'s messages afterwards. No parser: kernels are found by
 * their qualifier, namespaces by their braces. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <regex>
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

}  // namespace

std::string rewrite(const std::string &text, std::vector<Kernel> *kernels) {
  static const std::regex dynamic(R"(extern\s+__shared__\s+((?:__align__|alignas)\s*\([^()]*\)\s*|__attribute__\s*\(\([^()]*(?:\([^()]*\))?[^()]*\)\)\s*)?([^;\[\]\(\)=]*?)(\w+)\s*\[\s*\]\s*;)");
  static const std::regex twice(R"(\bstatic\s+__shared__\b)");
  std::string result = std::regex_replace(text, dynamic, "static $2 *const $3 = ($2 *)fake_dynamic_shared;");
  result = std::regex_replace(result, twice, "__shared__");
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
  static const std::regex line(R"(^(.*?):(\d+):(?:\d+:)? (fatal error|error|warning): (.*)$)");
  static const std::regex missing(R"(^(.*): No such file or directory$)");
  std::string log;
  int errors = 0;
  for (size_t at = 0; at < messages.size();) {
    size_t end = messages.find('\n', at);
    std::string one = messages.substr(at, end - at);
    at = end == std::string::npos ? messages.size() : end + 1;
    std::smatch m, name;
    if (!std::regex_match(one, m, line)) continue;
    std::string kind = m[3], text = m[4];
    if (kind == "warning") {
      if (warnings) log += m[1].str() + "(" + m[2].str() + "): warning: " + text + "\n\n";
      continue;
    }
    errors++;
    if (kind == "fatal error") kind = "catastrophic error";
    if (std::regex_match(text, name, missing)) text = "cannot open source file \"" + name[1].str() + "\"";
    log += m[1].str() + "(" + m[2].str() + "): " + kind + ": " + text + "\n\n";
  }
  if (errors)
    log += std::to_string(errors) + (errors == 1 ? " error" : " errors") + " detected in the compilation of \"" + program + "\".\n";
  else if (log.empty() && !messages.empty() && messages.find("error") != std::string::npos)
    log = messages; /* of the assembler or the linker */
  return log;
}

}  // namespace fake
