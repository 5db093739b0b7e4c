interface Named {
  year: number | null;
  make: string | null;
  model: string | null;
}

/** `2019 Freightliner Cascadia`; '' where none of them is known. */
export const nameTruck = ({ year, make, model }: Named): string =>
  [year, make, model].filter(Boolean).join(' ');
