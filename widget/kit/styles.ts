/** Adds a style sheet; markup would need `unsafe-inline` in the page's policy. */
export function addStyles(root: ShadowRoot, css: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets.push(sheet);
}
