/** What Gmail leaves out of an address. */
const DOTLESS = new Set(['gmail.com', 'googlemail.com']);

/** The mailbox that an address leads to: `boss+1@dealer.example` and `Boss@dealer.example` are one. */
export function toMailbox(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1).toLowerCase();
  const [name = ''] = address.slice(0, at).toLowerCase().split('+');
  return `${DOTLESS.has(domain) ? name.replaceAll('.', '') : name}@${domain}`;
}
