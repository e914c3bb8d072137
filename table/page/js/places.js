// Where one is: the address holds the person and the channel, so that a reload finds both again.

let visit = () => {};

export function onGo(handler) {
  visit = handler;
}

export function go(channel, message) {
  visit(channel, message);
}

export function here() {
  const parameters = new URLSearchParams(location.hash.slice(1));
  return { who: parameters.get("as"), channel: parameters.get("channel") };
}

export function note(who, channel) {
  const parameters = new URLSearchParams({ as: who });
  if (channel) parameters.set("channel", channel);
  history.replaceState(null, "", `#${parameters}`);
}
