/** A list of words, which stands as one text so that it fits on a page: `'sold, is sold, vendido'`. */
export const toList = (text: string): string[] => text.trim().split(/,\s+/);
