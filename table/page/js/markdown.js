// Discord's markdown, into elements.
import { h } from "./dom.js";
import { go } from "./places.js";
import { nameOf, role, store, title } from "./store.js";
import { timestamp } from "./time.js";
import { t } from "./words.js";

// Each rule: a pattern at the start of the rest of the text, and what it becomes.
const INLINE = [
  [/^\\([^a-zA-Z0-9\s])/, (m) => m[1]],
  [/^``([^]+?)``(?!`)/, (m) => h("code", {}, m[1].trim())],
  [/^`([^`]+)`/, (m) => h("code", {}, m[1])],
  [/^<t:(-?\d{1,13})(?::([tTdDfFR]))?>/, (m) => timestamp(Number(m[1]), m[2])],
  [/^<@!?(\d+)>/, (m) => mention(m[1])],
  [/^<@&(\d+)>/, (m) => roleMention(m[1])],
  [/^<#(\d+)>/, (m) => channelMention(m[1])],
  [/^<\/([^:>]+):\d+>/, (m) => h("span.mention", {}, `/${m[1]}`)],
  [/^<a?:(\w+):\d+>/, (m) => `:${m[1]}:`],
  [/^@(everyone|here)\b/, (m) => h("span.mention", {}, m[0])],
  [/^\[([^\]\n]+)\]\(<?(https?:\/\/[^\s)>]+)>?(?: "[^"]*")?\)/, (m) => link(m[2], inline(m[1]))],
  [/^<(https?:\/\/[^\s>]+)>/, (m) => link(m[1], m[1])],
  [/^https?:\/\/[^\s<>]*[^\s<>.,:;"')\]*_~|]/, (m) => link(m[0], m[0])],
  [/^\|\|([^]+?)\|\|/, (m) => spoiler(inline(m[1]))],
  [/^\*\*\*([^]+?)\*\*\*(?!\*)/, (m) => h("strong", {}, h("em", {}, inline(m[1])))],
  [/^\*\*([^]+?)\*\*(?!\*)/, (m) => h("strong", {}, inline(m[1]))],
  [/^__([^]+?)__(?!_)/, (m) => h("u", {}, inline(m[1]))],
  [/^~~([^]+?)~~/, (m) => h("s", {}, inline(m[1]))],
  [/^\*(?=\S)([^*]*?[^\s*])\*(?!\*)/, (m) => h("em", {}, inline(m[1]))],
  [/^_(?=\S)([^_]*?[^\s_])_(?![a-zA-Z0-9_])/, (m) => h("em", {}, inline(m[1]))],
];

// Where the next rule could begin; everything before it is plain.
const SPECIAL = /[\\`<@[|*_~]|https?:\/\//;

function inline(text) {
  const out = [];
  let before = "";
  while (text) {
    let found = null;
    for (const [pattern, make] of INLINE) {
      const match = pattern.exec(text);
      // An underscore inside a word is no emphasis.
      if (match && !(text[0] === "_" && /\w$/.test(before))) {
        found = [match[0].length, make(match)];
        break;
      }
    }
    if (found) {
      out.push(found[1]);
      before = text.slice(0, found[0]);
      text = text.slice(found[0]);
      continue;
    }
    const next = text.slice(1).search(SPECIAL);
    const plain = next < 0 ? text : text.slice(0, next + 1);
    out.push(plain);
    before = plain;
    text = text.slice(plain.length);
  }
  return out;
}

function mention(id) {
  const own = id === store.me?.id;
  return h("span.mention", { class: own ? "mention mine" : "mention" }, `@${nameOf(id)}`);
}

function roleMention(id) {
  return h("span.mention", {}, `@${role(id)?.name ?? "role"}`);
}

function channelMention(id) {
  const channel = store.channels.get(id);
  if (!channel) return h("span.mention", {}, t("#a channel you cannot see"));
  return h("button.mention", { onclick: () => go(id) }, `#${title(channel)}`);
}

function link(url, children) {
  // Links to a message on the real site lead to the same message here.
  const place = /^https:\/\/(?:\w+\.)?discord(?:app)?\.com\/channels\/(?:\d+|@me)\/(\d+)(?:\/(\d+))?/.exec(
    url,
  );
  if (place) {
    const channel = store.channels.get(place[1]);
    const label = channel ? `#${title(channel)}${place[2] ? ` › ${t("message")}` : ""}` : t("#a channel you cannot see");
    return h("button.mention", { onclick: () => go(place[1], place[2]) }, label);
  }
  return h("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, children);
}

function spoiler(children) {
  const reveal = (event) => {
    const target = event.currentTarget;
    if (target.classList.contains("shown")) return;
    event.preventDefault();
    target.classList.add("shown");
    target.removeAttribute("aria-label");
  };
  const onkeydown = (event) => (event.key === "Enter" || event.key === " ") && reveal(event);
  return h(
    "span.spoiler",
    { tabindex: 0, role: "button", "aria-label": t("Spoiler, press to show"), onclick: reveal, onkeydown },
    h("span", {}, children),
  );
}

const FENCE = /^```(?:([\w+-]*)\n)?([^]*?)```\n?/;
const LIST = /^( *)([-*]|\d+\.) +(.*)$/;

export function markdown(text) {
  const out = [];
  let rest = text.replace(/\r/g, "");
  while (rest) {
    const fence = FENCE.exec(rest);
    if (fence) {
      out.push(
        h("pre", {}, h("code", { dataset: { language: fence[1] ?? "" } }, fence[2].replace(/\n$/, ""))),
      );
      rest = rest.slice(fence[0].length);
      continue;
    }
    const next = rest.indexOf("\n```") < 0 ? rest.length : rest.indexOf("\n```") + 1;
    const mid = rest.slice(1).search(/```[^]*```/) + 1;
    const end = mid > 0 ? Math.min(next, mid) : next;
    out.push(...blocks(rest.slice(0, end).split("\n")));
    rest = rest.slice(end);
  }
  return out;
}

function blocks(lines) {
  const out = [];
  let paragraph = [];
  const flush = () => {
    if (paragraph.length)
      out.push(
        h(
          "span.line",
          {},
          paragraph.map((each, index) => [index ? h("br") : "", inline(each)]),
        ),
      );
    paragraph = [];
  };
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at];
    const heading = /^(#{1,3}) +(.+)$/.exec(line);
    const small = /^-# +(.+)$/.exec(line);
    if (heading) {
      flush();
      out.push(h(`h${heading[1].length + 2}.heading.level-${heading[1].length}`, {}, inline(heading[2])));
    } else if (small) {
      flush();
      out.push(h("small.subtext", {}, inline(small[1])));
    } else if (line.startsWith(">>> ")) {
      flush();
      out.push(h("blockquote", {}, blocks([line.slice(4), ...lines.slice(at + 1)])));
      break;
    } else if (line.startsWith("> ") || line === ">") {
      flush();
      const quoted = [];
      while (at < lines.length && (lines[at].startsWith("> ") || lines[at] === ">"))
        quoted.push(lines[at++].slice(2));
      at -= 1;
      out.push(h("blockquote", {}, blocks(quoted)));
    } else if (LIST.test(line)) {
      flush();
      const items = [];
      const kind = (text) => /^\d/.test(LIST.exec(text)[2]);
      // At the outer level a number after bullets begins another list.
      while (
        at < lines.length &&
        LIST.test(lines[at]) &&
        (!items.length || lines[at].startsWith(" ") || kind(lines[at]) === kind(line))
      ) {
        items.push(LIST.exec(lines[at++]).slice(1));
      }
      at -= 1;
      out.push(list(items));
    } else if (line === "" && !paragraph.length && out.length && at === lines.length - 1) {
      continue; // the line end before a block is no empty line
    } else {
      paragraph.push(line);
    }
  }
  flush();
  return out;
}

function list(items) {
  const ordered = /\d/.test(items[0][1]);
  const root = h(ordered ? "ol" : "ul", ordered ? { start: Number.parseInt(items[0][1], 10) } : {});
  const depth = items[0][0].length;
  for (let at = 0; at < items.length; at += 1) {
    const item = h("li", {}, inline(items[at][2]));
    const inner = [];
    while (at + 1 < items.length && items[at + 1][0].length > depth) inner.push(items[++at]);
    if (inner.length) item.append(list(inner));
    root.append(item);
  }
  return root;
}
