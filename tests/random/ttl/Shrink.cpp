#include "Shrink.h"
#include "Compare.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include <chrono>
#include <vector>

using namespace tessera::ttl::random;
using Lines = std::vector<std::string>;

static Lines split(llvm::StringRef text) {
  Lines lines;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    lines.push_back(line.str());
    text = rest;
  }
  return lines;
}

static std::string joined(const Lines &lines) {
  std::string text;
  for (const std::string &line : lines)
    text += line + "\n";
  return text;
}

/// The kind of a difference: the mode and the words before values and positions.
static std::string kindOf(llvm::StringRef difference) {
  return difference.take_until([](char c) { return c >= '0' && c <= '9' && c != '2' && c != '0'; })
      .take_front(24)
      .str();
}

/// The line after the block that the line opens, or after the line itself.
static size_t endOf(const Lines &lines, size_t begin) {
  int open = 0;
  for (size_t i = begin; i < lines.size(); ++i) {
    open += llvm::StringRef(lines[i]).count('{') - llvm::StringRef(lines[i]).count('}');
    if (open <= 0)
      return i + 1;
  }
  return lines.size();
}

static Lines without(const Lines &lines, size_t begin, size_t end) {
  end = std::min(end, lines.size());
  begin = std::min(begin, end);
  Lines rest(lines.begin(), lines.begin() + begin);
  rest.insert(rest.end(), lines.begin() + end, lines.end());
  return rest;
}

static Lines returningZero(Lines lines, size_t at) {
  size_t begin = lines[at].find("return ");
  if (begin != std::string::npos)
    lines[at].replace(begin, std::string::npos, "return 0;");
  return lines;
}

std::string tessera::ttl::random::shrink(const std::string &text) {
  using Clock = std::chrono::steady_clock;
  auto deadline = Clock::now() + std::chrono::seconds(120);
  std::string kind = kindOf(compareApart(text));
  auto fails = [&](const Lines &lines) {
    std::string difference = compareApart(joined(lines), /*seconds=*/1);
    return !difference.empty() && kindOf(difference) == kind;
  };
  Lines lines = split(text);
  bool changed = true;
  while (changed) {
    changed = false;
    for (size_t i = lines.size(); i-- > 0 && Clock::now() < deadline;) {
      size_t end = endOf(lines, i);
      Lines candidates[] = {without(lines, i, end), without(without(lines, end - 1, end), i, i + 1),
                            without(lines, i, i + 1), returningZero(lines, i)};
      auto found = llvm::find_if(candidates, [&](const Lines &candidate) {
        return candidate != lines && fails(candidate);
      });
      if (found == std::end(candidates))
        continue;
      lines = *found;
      changed = true;
      i = std::min(i, lines.size());
    }
  }
  return joined(lines);
}
