// The messages of the open channel: order, grouping, day lines, older pages, scrolling.
import { look } from "./api.js";
import { h, replace } from "./dom.js";
import { drawMessage } from "./message.js";
import { nameOf, store, title } from "./store.js";
import { dayLine, sameDay } from "./time.js";

const GROUP_MS = 7 * 60 * 1000;
const log = document.getElementById("log");
const scroller = document.getElementById("scroller");
let sticky = true;
let loading = false;

scroller.addEventListener("scroll", () => {
  sticky = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 60;
  if (scroller.scrollTop < 200 && store.more && !loading) older();
});

// Pictures that arrive late, and edits, must not push the newest message out of sight.
new ResizeObserver(() => sticky && toBottom()).observe(log);
new ResizeObserver(() => sticky && toBottom()).observe(scroller);

export function toBottom() {
  sticky = true;
  scroller.scrollTop = scroller.scrollHeight;
}

const sorted = () => [...store.messages.values()].sort((a, b) => (a.id.length - b.id.length) || (a.id < b.id ? -1 : 1));

function joins(before, message) {
  return before && before.author.id === message.author.id && before.type !== 18 && message.type === 0
    && !message.interaction_metadata && !message.message_reference && (before.flags & 64) === (message.flags & 64)
    && new Date(message.timestamp) - new Date(before.timestamp) < GROUP_MS
    && sameDay(new Date(before.timestamp), new Date(message.timestamp));
}

export function drawLog() {
  const items = store.more ? [] : [beginning()];
  let before = null;
  let newShown = false;
  for (const message of sorted()) {
    const date = new Date(message.timestamp);
    if (!before || !sameDay(new Date(before.timestamp), date)) {
      items.push(h("li.day", { role: "separator" }, h("span", {}, dayLine(date))));
    }
    const unread = !newShown && later(message.id, store.lastRead) && message.author.id !== store.me.id && !(message.flags & 64);
    if (unread) {
      newShown = true;
      items.push(h("li.new", { role: "separator", "aria-label": "New messages" }, h("span", {}, "NEW")));
    }
    items.push(drawMessage(message, joins(before, message) && !unread));
    before = message;
  }
  const kept = log.dataset.channel === store.channel.id ? new Map([...log.children].filter((each) => each.dataset.key).map((each) => [each.dataset.key, each])) : new Map();
  log.dataset.channel = store.channel.id;
  // An unchanged message keeps its element: open menus, focus and revealed spoilers stay.
  replace(log, items.map((each) => kept.get(each.dataset.key) ?? each));
}

const later = (one, other) => BigInt(one) > BigInt(other);

function beginning() {
  const channel = store.channel;
  const text = channel.type === 1 ? `This is the beginning of your direct messages with ${title(channel)}.`
    : `This is the start of the ${channel.parent_id && channel.type !== 0 ? "thread" : "#" + title(channel) + " channel"}.`;
  return h("li.beginning", {}, h("h3", {}, channel.type === 0 ? `Welcome to #${title(channel)}!` : title(channel)), h("p", {}, text));
}

export function addMessage(message) {
  store.messages.set(message.id, message);
  const stick = sticky || message.author.id === store.me.id;
  drawLog();
  if (stick) toBottom();
}

export function dropMessage(id) {
  store.messages.delete(id);
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
  line.textContent = `${nameOf(id)} is typing…`;
  clearTimeout(typingEnds);
  typingEnds = setTimeout(() => { line.textContent = ""; }, 8000);
}
