// Starts the page: who sits here, which channel is open, and what to do with news.
import { act, listen, look } from "./api.js";
import { drawComposer, focusBox, forgetCommands, renameBox } from "./composer.js";
import { addMessage, dropMessage, drawLog, forgetDrawn, jumpTo, showTyping, toBottom } from "./log.js";
import { notice } from "./notices.js";
import { here, note, onGo } from "./places.js";
import { drawPeople } from "./people.js";
import { closeDrawers, drawRail, drawTop } from "./sidebar.js";
import { myPings, store, takeState, title } from "./store.js";
import { drawFrame, t } from "./words.js";

const EPHEMERAL = 64;
const BASE_ICON =
  "<rect width='32' height='32' rx='9' fill='%23f2b035'/><path d='M8 9h16M8 16h16M8 23h10' stroke='%23222' stroke-width='3'/>";

function mark() {
  const pings = myPings();
  const place = store.channel ? `${store.channel.type === 1 ? "@" : "#"}${title(store.channel)}` : "";
  const server = store.server?.name ?? t("Direct Messages");
  document.title = `${pings ? `(${pings}) ` : ""}${place} | ${server} (${store.me.global_name})`;
  const dot = pings ? "<circle cx='24' cy='24' r='8' fill='%23f23f43'/>" : "";
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'>${BASE_ICON}${dot}</svg>`;
  document.getElementById("icon").href =
    `data:image/svg+xml,${svg.replace(/</g, "%3C").replace(/>/g, "%3E")}`;
}

function draw() {
  drawFrame();
  drawRail();
  drawTop();
  drawPeople(become);
  mark();
}

// Answers can arrive late. One that was asked for by somebody who no longer sits here, or before a newer
// question, is dropped: it would undo what came after it.
let seat = 0;
let asked = 0;

async function loadState() {
  const [mySeat, mine] = [seat, ++asked];
  const state = await look("state");
  if (mySeat !== seat || mine !== asked) return null;
  takeState(state);
  const channel = store.channel && store.channels.get(store.channel.id);
  if (store.channel) {
    if (!channel) return open(firstChannel());
    store.channel = channel;
    store.server = channel.server;
    drawLog();
    renameBox();
  }
  draw();
  return null;
}

function firstChannel() {
  return store.servers[0]?.channels.find((each) => each.type === 0)?.id ?? store.directs[0]?.id;
}

async function open(id, message) {
  const channel = store.channels.get(id);
  if (!channel) return notice(t("You cannot see that channel."));
  const changed = store.channel?.id !== id;
  if (changed) forgetDrawn();
  store.channel = channel;
  store.server = channel.server;
  if (changed || !message) {
    const mySeat = seat;
    store.arrived = new Map();
    const page = await look("messages", { channel: id });
    if (mySeat !== seat || store.channel?.id !== id) return null;
    // What the stream told meanwhile may be newer than the page that was asked for.
    store.messages = new Map([...page.messages.map((each) => [each.id, each]), ...store.arrived]);
    store.more = page.more;
    store.newFrom = page.messages.find((each) => isNews(each, page.last_read))?.id ?? null;
  }
  note(store.me.username, id);
  closeDrawers();
  drawLog();
  drawComposer();
  read();
  draw();
  if (message) jumpTo(message);
  else toBottom();
  focusBox();
  return null;
}

function isNews(message, lastRead) {
  const mine = message.author.id === store.me.id || message.flags & EPHEMERAL;
  return !mine && BigInt(message.id) > BigInt(lastRead ?? 0);
}

function read() {
  if (document.hidden || !store.channel) return;
  const [, pings] = store.unread[store.channel.id] ?? [0, 0];
  if (pings) store.pings[store.me.id] = Math.max(0, (store.pings[store.me.id] ?? 0) - pings);
  delete store.unread[store.channel.id];
  act("read", { channel: store.channel.id }).catch(() => {});
}

async function become(who) {
  const mine = ++seat;
  const wanted = store.channel?.id ?? here().channel;
  store.who = who;
  store.me = null;
  store.channel = null;
  forgetCommands();
  // The stream first, then the questions: nothing can happen in between unheard.
  await listen(who, hear, refresh);
  const state = await look("state");
  if (mine !== seat) return;
  takeState(state);
  sessionStorage.setItem("who", who);
  await open(store.channels.has(wanted) ? wanted : firstChannel());
}

async function refresh() {
  await loadState();
  if (store.channel) await open(store.channel.id);
}

function hear({ t, d }) {
  if (!store.channel) return null; // still sitting down: everything is about to be read
  switch (t) {
    case "MESSAGE_CREATE":
      return arrived(d);
    case "MESSAGE_UPDATE":
      if (d.channel_id === store.channel.id) addMessage(d);
      return null;
    case "MESSAGE_DELETE":
      if (d.channel_id === store.channel.id) dropMessage(d.id);
      return null;
    case "TYPING_START":
      if (d.channel_id === store.channel.id) showTyping(d.user_id);
      return null;
    case "COMMANDS_UPDATE":
      return forgetCommands();
    case "PRESENCE_UPDATE":
      store.connected = d.connected;
      return drawPeople(become);
    default:
      return loadState();
  }
}

function arrived(message) {
  const mine = message.author.id === store.me.id;
  const open = message.channel_id === store.channel?.id;
  if (open && document.hidden && !mine && !(message.flags & EPHEMERAL)) store.newFrom ??= message.id;
  if (open) addMessage(message);
  if (open && !document.hidden) {
    read();
  } else if (!mine && !(message.flags & EPHEMERAL)) {
    const [count, pings] = store.unread[message.channel_id] ?? [0, 0];
    const direct = store.channels.get(message.channel_id)?.type === 1;
    store.unread[message.channel_id] = [count + 1, pings + (message.pinged || direct ? 1 : 0)];
  }
  for (const each of message.pinged_users ?? []) {
    if (each !== store.me.id || !open || document.hidden) store.pings[each] = (store.pings[each] ?? 0) + 1;
  }
  draw();
}

document.addEventListener("visibilitychange", () => {
  if (!document.hidden && store.channel) {
    read();
    draw();
  }
});

async function start() {
  const theme = localStorage.getItem("theme");
  if (theme) document.documentElement.dataset.theme = theme;
  onGo(open);
  store.who = "";
  const { people } = await look("people");
  const asked = here().who ?? sessionStorage.getItem("who");
  const found = people.find((each) => asked === each.username || asked === each.id) ?? people[0];
  if (!found) return notice(t("Nobody sits at this table yet."));
  return become(found.username);
}

drawFrame();
start().catch((problem) => notice(problem.message));
