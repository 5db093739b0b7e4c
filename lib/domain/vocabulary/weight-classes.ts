/** Weight classes by GVWR in lb, lower bound inclusive. Source: FHWA classes (DOE AFDC chart 10380), NTEA, vPIC. */
export const WEIGHT_CLASSES = [
  {
    class: 1,
    min: 0,
    max: 6000,
  },
  {
    class: 2,
    min: 6001,
    max: 10000,
  },
  {
    class: 3,
    min: 10001,
    max: 14000,
  },
  {
    class: 4,
    min: 14001,
    max: 16000,
  },
  {
    class: 5,
    min: 16001,
    max: 19500,
  },
  {
    class: 6,
    min: 19501,
    max: 26000,
  },
  {
    class: 7,
    min: 26001,
    max: 33000,
  },
  {
    class: 8,
    min: 33001,
    max: null,
  },
] as const;
