import type { PageContext } from '../options.ts';

/** Which truck the page is about. */

/** The last four characters of a VIN are digits. */
const VIN = /(?<![A-Z\d])[A-HJ-NPR-Z\d]{13}\d{4}(?![A-Z\d])/i;
const NAMED = /"vehicleIdentificationNumber"\s*:\s*"([^"]+)/g;

/** The VIN in the page's address, else the only one that its JSON-LD (schema.org) names; '': none, or several. */
function findVin(): string {
  const inAddress = VIN.exec(location.pathname + location.search);
  if (inAddress) return inAddress[0];
  const scripts = document.querySelectorAll('[type="application/ld+json"]');
  const texts = Array.from(scripts, ({ textContent }) => textContent).join();
  const [vin, another] = new Set(Array.from(texts.matchAll(NAMED), ([, named]) => named));
  return another ? '' : (vin ?? '');
}

/** What tag or script say counts on the address they said it for: a page may change without a reload. */
export function readVin({ stated }: PageContext): string {
  const { vin, address } = stated;
  const holds = vin !== undefined && (!address || address === location.href);
  return holds ? vin : findVin();
}
