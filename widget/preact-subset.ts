/**
 * The part of Preact that the panel needs: JSX elements, fragments, keys, ref callbacks, `render`. The build puts it in
 * the place of `preact`, whose types the source is checked against; the real one is 4 of the 12 kB a visitor may load.
 */

interface Element_ {
  tag: string | ((props: Props) => Child);
  props: Props;
  key: unknown;
}
type Child = Element_ | string | number | boolean | null | undefined | Child[];
type Props = Record<string, unknown> & { children?: Child };
type Drawn = (HTMLElement | SVGElement | Text) & { drawn?: Element_ };

const SVG = 'http://www.w3.org/2000/svg';

export const jsx = (tag: Element_['tag'], props: Props, key?: unknown): Element_ => ({ tag, props, key });
export { jsx as jsxs };
export const Fragment = ({ children }: Props): Child => children;

/** Makes the children of `parent` those of `child`, keeping what stays the same where it is. */
export function render(child: Child, parent: Element): void {
  const old = new Set(parent.childNodes as NodeListOf<Drawn>);
  const wanted = flat(child).map((each) => {
    const element = typeof each === 'object' ? each : undefined;
    const kept = [...old].find(({ drawn }) => drawn?.tag === element?.tag && drawn?.key === element?.key);
    if (kept) old.delete(kept);
    return { each, element, kept, node: kept ?? create(element, parent.namespaceURI) };
  });
  // First of all, so that nothing that stays has to move: a node that moves loses the focus.
  for (const node of old) node.remove();
  let next = parent.firstChild;
  for (const { each, element, kept, node } of wanted) {
    if (node === next) next = next.nextSibling;
    else parent.insertBefore(node, next);
    if (node instanceof Text) node.data = `${each}`;
    else if (element) {
      patch(node, node.drawn?.props ?? {}, element.props);
      node.drawn = element;
      render(element.props.children, node);
      if (!kept && typeof element.props.ref === 'function') element.props.ref(node);
    }
  }
}

function create(element: Element_ | undefined, namespace: string | null): Drawn {
  if (!element) return new Text();
  const tag = element.tag as string;
  return document.createElementNS(tag === 'svg' ? SVG : namespace, tag) as HTMLElement;
}

/** Elements and texts in order, without the empty ones; functions are called. */
function flat(child: Child): (Element_ | string | number)[] {
  if (child == null || typeof child === 'boolean' || child === '') return [];
  if (Array.isArray(child)) return child.flatMap(flat);
  if (typeof child === 'object' && typeof child.tag === 'function') return flat(child.tag(child.props));
  return [child as Element_];
}

function patch(node: Exclude<Drawn, Text>, before: Props, now: Props): void {
  for (const name in { ...before, ...now }) {
    const value = now[name];
    if (name === 'value' || name === 'checked') {
      // What the visitor did to the field counts, not what was drawn last.
      if (Reflect.get(node, name) !== value) Reflect.set(node, name, value);
    } else if (value !== before[name] && !/^(children|ref)$/.test(name)) {
      if (/^on/.test(name)) Reflect.set(node, name.toLowerCase(), value);
      else if (value == null || (value === false && !/^aria/.test(name))) node.removeAttribute(name);
      else node.setAttribute(name, `${value}`);
    }
  }
}
