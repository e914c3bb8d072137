// What the page knows: who is sitting here, the servers, the open channel and its messages.
import { t } from "./words.js";

export const store = {
  who: null,
  me: null,
  bot: null,
  connected: false,
  users: new Map(),
  servers: [],
  directs: [],
  channels: new Map(),
  unread: {},
  pings: {},
  server: null, // null: direct messages
  channel: null,
  messages: new Map(),
  arrived: new Map(), // what came by the stream since the open channel's messages were asked for
  more: false,
  newFrom: null, // the first message that was unread when the channel was opened
  commands: new Map(),
};

export function takeState(state) {
  store.me = state.me;
  store.bot = state.bot;
  store.connected = state.connected;
  store.users = new Map(state.users.map((each) => [each.id, each]));
  store.servers = state.servers;
  store.directs = state.directs;
  store.unread = state.unread;
  store.pings = state.pings;
  store.channels = new Map();
  for (const server of state.servers) {
    for (const each of server.channels) store.channels.set(each.id, { ...each, server });
  }
  for (const each of state.directs) store.channels.set(each.id, { ...each, server: null });
}

export function user(id) {
  return store.users.get(id) ?? { id, username: "somebody", global_name: t("Somebody"), colour: "#80848e" };
}

export function nameOf(id) {
  const found = user(id);
  const member = store.server?.members.find((each) => each.id === id);
  return member?.nick || found.global_name || found.username;
}

export function title(channel) {
  if (!channel) return "";
  if (channel.type === 1) return channel.recipients.map((each) => nameOf(each.id)).join(", ");
  return channel.name;
}

export function role(id) {
  return store.server?.roles.find((each) => each.id === id);
}

export function myPings() {
  return Object.values(store.unread).reduce((sum, [, pings]) => sum + pings, 0);
}
