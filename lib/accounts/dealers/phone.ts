/** `+12145550199` → (214) 555-0199, as people of the US and Canada read it; others stay as they are. */
export const showPhone = (e164: string): string =>
  e164.startsWith('+1') && e164.length === 12
    ? `(${e164.slice(2, 5)}) ${e164.slice(5, 8)}-${e164.slice(8)}`
    : e164;
