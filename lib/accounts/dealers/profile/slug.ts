import { toNormalForm } from '../../../truck/text/normal-form.ts';

/** `Lone Star Trucks, Inc.` → lone-star-trucks-inc; '' for a name without Latin letters and digits. */
export const toSlug = (name: string): string =>
  toNormalForm(name, 'NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .join('-')
    .slice(0, 64)
    .replace(/-$/, '');
