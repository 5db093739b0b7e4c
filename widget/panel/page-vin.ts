/** The VIN that the page's JSON-LD (schema.org) names; null when it names none, or several. */
export function pageVin(): string | null {
  const found = new Set<string>();
  for (const { text } of document.querySelectorAll<HTMLScriptElement>('[type="application/ld+json"]')) {
    try {
      JSON.parse(text, (name, value) => {
        if (name === 'vehicleIdentificationNumber' && typeof value === 'string') found.add(value.trim());
        return value;
      });
    } catch {
      // Somebody else's broken markup.
    }
  }
  const [vin = null, another] = found;
  return another === undefined ? vin : null;
}
