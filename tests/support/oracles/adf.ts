import { SaxesParser } from 'saxes';

/** ADF 1.0 by its DTD, as far as leads use it: the children of each element in order, and its attributes; those of text are not here. */
const MODEL: Readonly<Record<string, { children?: RegExp; attributes?: Readonly<Record<string, RegExp>> }>> =
  {
    adf: { children: /^(prospect )+$/ },
    prospect: {
      children: /^(id )*requestdate (vehicle )+customer vendor (provider )?$/,
      attributes: { status: /^(new|resend)$/ },
    },
    id: { attributes: { sequence: /./, source: /./ } },
    vehicle: {
      children:
        /^(id )*year make model (vin )?(stock )?(trim )?(doors )?(bodystyle )?(transmission )?(odometer )?(colorcombination )*(imagetag )?(price )?(pricecomments )?(option )*(finance )?(comments )?$/,
      attributes: { interest: /^(buy|lease|sell|trade-in|test-drive)$/, status: /^(new|used)$/ },
    },
    finance: { children: /^method (amount )*(balance )?$/ },
    amount: { attributes: { type: /^(downpayment|monthly|total)$/, currency: /^[A-Z]{3}$/ } },
    timeframe: { children: /^description (earliestdate )?(latestdate )?$/ },
    odometer: { attributes: { status: /^(unknown|rolledover|replaced|original)$/, units: /^(km|mi)$/ } },
    price: {
      attributes: { type: /^(quote|offer|msrp|invoice|call|appraisal|asking)$/, currency: /^[A-Z]{3}$/ },
    },
    customer: { children: /^contact (id )*(timeframe )?(comments )?$/ },
    contact: { children: /^(name )+(email |(phone )+|email (phone )+)(address )?$/ },
    name: { attributes: { part: /^(surname|first|middle|last|full)$/, type: /^(business|individual)$/ } },
    email: { attributes: { preferredcontact: /^[01]$/ } },
    phone: { attributes: { type: /^(voice|fax|cellphone|pager)$/ } },
    vendor: { children: /^(id )*vendorname (url )?contact $/ },
    provider: { children: /^(id )*name (service )?(url )?(email )?(phone )?(contact )?$/ },
  };

/** One element. */
export interface Node {
  name: string;
  attributes: Record<string, string>;
  children: Node[];
  text: string;
}

/** Reads a document, strictly; throws when it is not well-formed or breaks the rules of ADF 1.0. */
export function readAdf(xml: string): Node {
  const top: Node = { name: '', attributes: {}, children: [], text: '' };
  const open = [top];
  const instructions: string[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('processinginstruction', ({ target, body }) => void instructions.push(`${target} ${body}`));
  parser.on('opentag', ({ name, attributes }) => {
    const node: Node = { name, attributes: { ...attributes }, children: [], text: '' };
    open.at(-1)?.children.push(node);
    open.push(node);
  });
  parser.on('text', (text) => {
    const node = open.at(-1);
    if (node) node.text += text;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(xml).close();
  if (!instructions.includes('adf version="1.0"')) throw new Error('no <?adf version="1.0"?>');
  const [root] = top.children;
  if (root?.name !== 'adf') throw new Error('the root is not adf');
  check(root);
  return root;
}

function check(node: Node): void {
  const rule = MODEL[node.name] ?? {};
  const sequence = node.children.map(({ name }) => `${name} `).join('');
  if (rule.children && !rule.children.test(sequence)) throw new Error(`${node.name} holds ${sequence}`);
  if (rule.children && node.text.trim() !== '') throw new Error(`${node.name} holds text`);
  if (!rule.children && node.children.length > 0) throw new Error(`${node.name} holds elements`);
  for (const [name, value] of Object.entries(node.attributes))
    if (!rule.attributes?.[name]?.test(value)) throw new Error(`${node.name} ${name}="${value}"`);
  if (node.name === 'requestdate' && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/.test(node.text))
    throw new Error(`requestdate ${node.text}`);
  node.children.forEach(check);
}

/** The text at a path such as `prospect/customer/contact/email`; null when there is no such element. */
export function textAt(root: Node, path: string): string | null {
  const elements = path
    .split('/')
    .reduce<Node | undefined>((node, name) => node?.children.find((child) => child.name === name), root);
  return elements?.text ?? null;
}
