import type { Locale } from '../../truck/card/locale.ts';

/** What visitors ask a dealer for, and what each form asks of them. Nothing here may ask for a social security number. */

export const INTENTS = [
  'availability',
  'best_price',
  'finance',
  'trade_in',
  'appointment',
  'transport',
] as const;
export type Intent = (typeof INTENTS)[number];

type Names = Readonly<Record<Locale, string>>;
export const FIELD_TYPES = ['text', 'number', 'date', 'select'] as const;

export interface IntentField {
  type: (typeof FIELD_TYPES)[number];
  names: Names;
  required?: true;
  options?: Readonly<Record<string, Names>>;
}

const names = (en: string, es: string, fr: string): Names => ({ en, es, fr });

export const INTENT_NAMES: Readonly<Record<Intent, Names>> = {
  availability: names('Is it available?', '¿Está disponible?', 'Est-il disponible ?'),
  best_price: names('Best price', 'Mejor precio', 'Meilleur prix'),
  finance: names('Financing', 'Financiamiento', 'Financement'),
  trade_in: names('Trade in my truck', 'Entregar mi camión a cambio', 'Reprise de mon camion'),
  appointment: names('See it in person', 'Verlo en persona', 'Le voir sur place'),
  transport: names('Delivery', 'Entrega', 'Livraison'),
};

export const INTENT_FIELDS: Readonly<Record<Intent, Readonly<Record<string, IntentField>>>> = {
  availability: {},
  best_price: {
    offer: { type: 'number', names: names('Your offer in $', 'Su oferta en $', 'Votre offre en $') },
  },
  finance: {
    down_payment: {
      type: 'number',
      names: names('Down payment in $', 'Enganche en $', 'Mise de fonds en $'),
    },
    credit: {
      type: 'select',
      names: names('Credit, as you see it', 'Su crédito, según usted', 'Votre crédit, selon vous'),
      options: {
        excellent: names('Excellent', 'Excelente', 'Excellent'),
        good: names('Good', 'Bueno', 'Bon'),
        fair: names('Fair', 'Regular', 'Moyen'),
        rebuilding: names('Being rebuilt', 'En recuperación', 'En rétablissement'),
      },
    },
    years_in_business: {
      type: 'number',
      names: names('Years in business', 'Años en el negocio', 'Années d’activité'),
    },
  },
  trade_in: {
    make: { type: 'text', required: true, names: names('Make', 'Marca', 'Marque') },
    model: { type: 'text', required: true, names: names('Model', 'Modelo', 'Modèle') },
    year: { type: 'number', required: true, names: names('Year', 'Año', 'Année') },
    mileage: { type: 'number', names: names('Miles', 'Millas', 'Miles') },
    vin: { type: 'text', names: names('VIN', 'VIN', 'NIV') },
    condition: { type: 'text', names: names('Condition', 'Estado', 'État') },
  },
  appointment: {
    date: { type: 'date', required: true, names: names('Day', 'Día', 'Jour') },
    time: {
      type: 'select',
      names: names('Time of day', 'Horario', 'Moment'),
      options: {
        morning: names('Morning', 'Por la mañana', 'Matin'),
        afternoon: names('Afternoon', 'Por la tarde', 'Après-midi'),
      },
    },
  },
  transport: {
    zip: {
      type: 'text',
      required: true,
      names: names('To which ZIP code', 'Código postal de destino', 'Code postal de livraison'),
    },
    date: { type: 'date', names: names('Wanted by', 'Para cuándo', 'Pour quelle date') },
  },
};

/** The box for text messages that advertise: never ticked beforehand, never a condition. */
export const MARKETING_TEXT: Names = names(
  'Text me offers, too. Optional: not a condition of buying. Message and data rates may apply; reply STOP to end.',
  'Envíenme también ofertas por SMS. Opcional: no es condición de compra. Pueden aplicarse tarifas de mensajes y datos; responda STOP para terminar.',
  'Envoyez-moi aussi des offres par SMS. Facultatif : ce n’est pas une condition d’achat. Des frais de messages et de données peuvent s’appliquer ; répondez STOP pour arrêter.',
);
