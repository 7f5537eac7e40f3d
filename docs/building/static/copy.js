// A button on each block of code that copies what one would type: without prompts, and without the output.
document.addEventListener("DOMContentLoaded", () => {
  for (const block of document.querySelectorAll("article div.highlight")) {
    const button = document.createElement("button");
    button.className = "copy";
    button.type = "button";
    button.textContent = "copy";
    button.setAttribute("aria-label", "Copy this code");
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(typed(block.querySelector("pre").textContent));
        button.textContent = "copied";
      } catch {
        button.textContent = "not allowed";
      }
      setTimeout(() => { button.textContent = "copy"; }, 1500);
    });
    block.append(button);
  }
});

function typed(text) {
  const lines = text.split("\n");
  const prompt = lines.some(line => line.startsWith(">>>")) ? /^(>>>|\.\.\.)( |$)/ : /^\$ /;
  const kept = lines.filter(line => prompt.test(line)).map(line => line.replace(prompt, ""));
  return kept.length ? kept.join("\n") + "\n" : text;
}
