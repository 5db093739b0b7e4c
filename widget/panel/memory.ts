/** What a reload must not lose, in the browser's storage; without storage it lives as long as the page. */

export type Area = 'localStorage' | 'sessionStorage';

/** The value under a name, after writing a new one if there is one; `null` removes it. */
export function stored(area: Area, name: string, value?: string | null): string | null {
  const key = `truck-widget:${name}`;
  try {
    if (value) window[area].setItem(key, value);
    else if (value === null) window[area].removeItem(key);
    return window[area].getItem(key);
  } catch {
    return value ?? null;
  }
}

/** The conversation of this tab; null when there is none, or it cannot be read. */
export function recall<T>(dealer: string): T | null {
  try {
    return JSON.parse(stored('sessionStorage', dealer) ?? '');
  } catch {
    return null;
  }
}
