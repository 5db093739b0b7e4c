/**
 * Light or dark: what the tag says, else as the page is, whatever the visitor's system says. Many pages are drawn by an
 * element that is as large as the page.
 */
export function readTheme(stated = ''): string {
  if (/^(light|dark)$/.test(stated)) return stated;
  let element: Element | undefined = document.body;
  // With nothing painted behind it, the text was chosen for what is there.
  let isDark = measure(getComputedStyle(element).color).light > 0.6;
  while (element) {
    const behind = measure(getComputedStyle(element).backgroundColor);
    if (behind.alpha) isDark = behind.light < 0.4;
    const enough: number = element.scrollHeight * 0.9;
    element = [...element.children].find(({ clientHeight }) => clientHeight > enough);
  }
  return isDark ? 'dark' : 'light';
}

/** How light a computed colour is, up to 1: the green of `rgb()`, else the first number, as of `oklch()` and `lab()`. */
function measure(color: string) {
  const [first = 0, green = 0, , alpha = 1] = (color.match(/[\d.]+/g) ?? []).map(Number);
  return { light: /^rgb/.test(color) ? green / 255 : first / (first > 1 ? 100 : 1), alpha };
}
