import type { PageContext } from '../options.ts';

/** Which truck the page is about. */

/** It has a letter, and its last four characters are digits: a number of an advertisement is none. */
const VIN = /(?<![A-Z\d])(?=\d*[A-Z])[A-HJ-NPR-Z\d]{13}\d{4}(?![A-Z\d])/i;
const NAMED = /"vehicleIdentificationNumber"\s*:\s*"([^"]+)/g;

const findIn = (text = '') => VIN.exec(text)?.[0] ?? '';
const readAddress = () => findIn(location.href);

/** The name of a page: another VIN in its address makes another page, another fragment or query does not. */
export const readPageName = () => location.pathname + readAddress();

/** The VIN in the page's address, else the only one that its JSON-LD (schema.org) names; '': none, or several. */
function findVin(): string {
  const inAddress = readAddress();
  if (inAddress) return inAddress;
  const scripts = document.querySelectorAll('[type="application/ld+json"]');
  const texts = Array.from(scripts, ({ textContent }) => textContent).join();
  const [vin, another] = new Set(Array.from(texts.matchAll(NAMED), ([, value]) => findIn(value)));
  return another ? '' : (vin ?? '');
}

/** What tag or script say counts only on the page they said it for: the page may change without a reload. */
export function readVin({ stated }: PageContext): string {
  const { vin, address } = stated;
  const holds = vin !== undefined && (!address || address === readPageName());
  // Templates write blanks and dashes.
  return holds ? vin.replace(/[\s-]/g, '') : findVin();
}
