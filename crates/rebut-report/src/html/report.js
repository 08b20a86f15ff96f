
"use strict";
for (const place of document.querySelectorAll(".copyable")) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "copy";
  button.addEventListener("click", async () => {
    const text = place.querySelector("code").textContent;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      place.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    button.textContent = "copied";
    setTimeout(() => { button.textContent = "copy"; }, 1500);
  });
  place.append(button);
}
const rows = document.querySelectorAll(".overview tbody tr");
if (rows.length > 5) {
  const filter = document.createElement("input");
  filter.type = "search";
  filter.className = "filter";
  filter.placeholder = "Filter (press /)";
  filter.setAttribute("aria-label", "Filter the properties");
  filter.addEventListener("input", () => {
    const wanted = filter.value.toLowerCase();
    for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
  });
  document.querySelector("#properties").prepend(filter);
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== filter) {
      event.preventDefault();
      filter.focus();
    }
  });
}

for (const walks of document.querySelectorAll(".walks")) {
  const tools = document.createElement("div");
  tools.className = "tools";
  const add = (text, act) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.addEventListener("click", act);
    tools.append(button);
  };
  const all = (open) => { for (const one of walks.querySelectorAll("details:not(.path)")) one.open = open; };
  add("open all", () => all(true));
  add("close all", () => all(false));
  const place = walks.previousElementSibling;
  const picture = place && place.classList.contains("zoomable") ? place.querySelector("svg") : null;
  if (picture) {
    const [, , width, height] = picture.getAttribute("viewBox").split(" ").map(Number);
    let zoom = 1;
    const set = (next) => {
      zoom = Math.min(Math.max(next, 0.25), 8);
      picture.setAttribute("width", width * zoom);
      picture.setAttribute("height", height * zoom);
    };
    add("zoom in", () => set(zoom * 1.5));
    add("zoom out", () => set(zoom / 1.5));
    (place || walks).before(tools);
  } else {
    walks.before(tools);
  }
}
const reveal = () => {
  const target = location.hash.startsWith("#p") && document.getElementById(location.hash.slice(1));
  if (!target || !target.classList.contains("path")) return;
  for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
  target.scrollIntoView({block: "center"});
};
addEventListener("hashchange", reveal);
reveal();
