/** What a reload must not lose, in the browser's storage; without storage it lives as long as the page. */

const NAME = 'truck-widget:';

/** The value kept under a dealer's name, after putting in a new one if there is one. */
function stored(
  area: 'localStorage' | 'sessionStorage',
  dealer: string,
  value?: string | null,
): string | null {
  try {
    if (value) window[area].setItem(NAME + dealer, value);
    return window[area].getItem(NAME + dealer);
  } catch {
    return value ?? null;
  }
}

/** A random name for this browser at this dealer; says nothing about the visitor. */
export const visitorAt = (dealer: string): string =>
  stored('localStorage', dealer) ??
  stored('localStorage', dealer, `v_${crypto.getRandomValues(new Uint32Array(4)).join('')}`) ??
  '';

/** The conversation of this tab; null when there is none, or it cannot be read. */
export function recall<T>(dealer: string): T | null {
  try {
    return JSON.parse(stored('sessionStorage', dealer) ?? '');
  } catch {
    return null;
  }
}

export const remember = (dealer: string, conversation: object) =>
  stored('sessionStorage', dealer, JSON.stringify(conversation));
