/** `+12145550199` → (214) 555-0199, as people of the US and Canada read it; others stay as they are. */
export const showPhone = (e164: string): string =>
  e164.startsWith('+1') && e164.length === 12
    ? `(${e164.slice(2, 5)}) ${e164.slice(5, 8)}-${e164.slice(8)}`
    : e164;

/** Whether ten digits stand in it, or letters for the last seven of them (`1-800-FLOWERS`). */
export const hasAreaCode = (text: string): boolean =>
  /\d{3}[\da-z]{7}/i.test(text.slice(0, 100).replaceAll(/[^\da-z]/gi, ''));
