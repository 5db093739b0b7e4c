/** Light or dark: what the tag says, else as the page is, whatever the visitor's system says. */
export function readTheme(stated = ''): string {
  if (/^(light|dark)$/.test(stated)) return stated;
  const { backgroundColor, color } = getComputedStyle(document.body);
  const behind = measure(backgroundColor);
  // With nothing painted behind it, the text was chosen for what is there.
  return (behind.alpha ? behind.light < 0.4 : measure(color).light > 0.6) ? 'dark' : 'light';
}

/** How light a computed colour is, up to 1: the green of `rgb()`, else the first number, as of `oklch()` and `lab()`. */
function measure(color: string) {
  const [first = 0, green = 0, , alpha = 1] = (color.match(/[\d.]+/g) ?? []).map(Number);
  return { light: /^rgb/.test(color) ? green / 255 : first / (first > 1 ? 100 : 1), alpha };
}
