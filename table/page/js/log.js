// The messages of the open channel: order, grouping, day lines, older pages, scrolling.
import { look } from "./api.js";
import { arrange, h } from "./dom.js";
import { drawMessage, keyOf } from "./message.js";
import { nameOf, store, title } from "./store.js";
import { dayLine, sameDay } from "./time.js";
import { german, t } from "./words.js";

const GROUP_MS = 7 * 60 * 1000;
const log = document.getElementById("log");
const scroller = document.getElementById("scroller");
let sticky = true;
let loading = false;

// Only whoever scrolls up leaves the bottom. That the bottom itself moved down, because a panel grew or a picture
// arrived before the event of our own scrolling did, is no wish to stay behind.
let top = 0;
scroller.addEventListener("scroll", () => {
  const near = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 60;
  if (near) sticky = true;
  else if (scroller.scrollTop < top - 1) sticky = false;
  top = scroller.scrollTop;
  if (scroller.scrollTop < 200 && store.more && !loading) older();
});

// Pictures that arrive late, and edits, must not push the newest message out of sight.
new ResizeObserver(() => sticky && toBottom()).observe(log);
new ResizeObserver(() => sticky && toBottom()).observe(scroller);

export function toBottom() {
  sticky = true;
  scroller.scrollTop = scroller.scrollHeight;
  top = scroller.scrollTop;
}

const sorted = () =>
  [...store.messages.values()].sort((a, b) => a.id.length - b.id.length || (a.id < b.id ? -1 : 1));

function joins(before, message) {
  return (
    before &&
    before.author.id === message.author.id &&
    before.type !== 18 &&
    message.type === 0 &&
    !message.interaction_metadata &&
    !message.message_reference &&
    (before.flags & 64) === (message.flags & 64) &&
    new Date(message.timestamp) - new Date(before.timestamp) < GROUP_MS &&
    sameDay(new Date(before.timestamp), new Date(message.timestamp))
  );
}

export function drawLog() {
  const items = store.more ? [] : [kept("beginning", store.channel.id + title(store.channel) + german(), beginning)];
  let before = null;
  for (const message of sorted()) {
    const date = new Date(message.timestamp);
    if (!before || !sameDay(new Date(before.timestamp), date)) {
      items.push(
        kept(`day ${dayLine(date)}`, "", () =>
          h("li.day", { role: "separator" }, h("span", {}, dayLine(date))),
        ),
      );
    }
    const fresh = message.id === store.newFrom;
    if (fresh) {
      items.push(
        kept("new", t("NEW"), () =>
          h("li.new", { role: "separator", "aria-label": t("New messages") }, h("span", {}, t("NEW"))),
        ),
      );
    }
    const joined = !fresh && joins(before, message);
    items.push(kept(message.id, keyOf(message, joined), () => drawMessage(message, joined)));
    before = message;
  }
  arrange(log, items);
}

// What has not changed keeps its element: open menus, focus and revealed spoilers stay.
const drawn = new Map();

function kept(id, key, make) {
  const old = drawn.get(id);
  if (old?.key === key) return old.item;
  const item = make();
  drawn.set(id, { key, item });
  return item;
}

export function forgetDrawn() {
  drawn.clear();
}

function beginning() {
  const channel = store.channel;
  const text =
    channel.type === 1
      ? t("This is the beginning of your direct messages with {name}.", { name: title(channel) })
      : channel.parent_id && channel.type !== 0
        ? t("This is the start of the thread.")
        : t("This is the start of the #{name} channel.", { name: title(channel) });
  return h(
    "li.beginning",
    {},
    h("h3", {}, channel.type === 0 ? t("Welcome to #{name}!", { name: title(channel) }) : title(channel)),
    h("p", {}, text),
  );
}

export function addMessage(message) {
  store.messages.set(message.id, message);
  store.arrived.set(message.id, message);
  const stick = sticky || message.author.id === store.me.id;
  drawLog();
  if (stick) toBottom();
}

export function dropMessage(id) {
  store.messages.delete(id);
  store.arrived.delete(id);
  drawLog();
}

async function older() {
  loading = true;
  try {
    const first = sorted()[0];
    const page = await look("messages", { channel: store.channel.id, before: first.id });
    const height = scroller.scrollHeight - scroller.scrollTop;
    for (const each of page.messages) store.messages.set(each.id, each);
    store.more = page.more;
    drawLog();
    scroller.scrollTop = scroller.scrollHeight - height;
  } finally {
    loading = false;
  }
}

export function jumpTo(id) {
  const target = document.getElementById(`message-${id}`);
  if (!target) return;
  sticky = false;
  target.scrollIntoView({ block: "center" });
  target.classList.add("flash");
  setTimeout(() => target.classList.remove("flash"), 1500);
}

let typingEnds = 0;
export function showTyping(id) {
  const line = document.getElementById("typing");
  line.textContent = t("{name} is typing…", { name: nameOf(id) });
  clearTimeout(typingEnds);
  typingEnds = setTimeout(() => {
    line.textContent = "";
  }, 8000);
}
