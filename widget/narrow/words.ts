import type { Words } from '../panel/translate.ts';

/** Words of what narrows the list. */
export const WORDS = {
  sort: ['Sort', 'Ordenar', 'Trier'],
  newest: ['Newest', 'Más recientes', 'Plus récents'],
  price: ['Lowest price', 'Menor precio', 'Prix croissant'],
  mileage: ['Fewest miles', 'Menos millas', 'Moins de miles'],
  bodyType: ['Body', 'Carrocería', 'Carrosserie'],
  make: ['Make', 'Marca', 'Marque'],
  class: ['Class', 'Clase', 'Classe'],
  yearMin: ['Year', 'Año', 'Année'],
  priceMax: ['Price', 'Precio', 'Prix'],
  mileageMax: ['Miles', 'Millas', 'Miles'],
  under: ['Up to #', 'Hasta #', 'Jusqu’à #'],
  newer: ['# or newer', '# o más nuevo', '# ou plus récent'],
  remove: ['Remove #', 'Quitar #', 'Retirer #'],
  read: ['Understood:', 'Entendido:', 'Compris :'],
  dropped: ['Left out: #', 'Omitido: #', 'Ignoré : #'],
  none: ['No trucks', 'Ningún camión', 'Aucun camion'],
  one: ['1 truck', '1 camión', '1 camion'],
  found: ['# trucks', '# camiones', '# camions'],
  closest: ['These come closest', 'Los más parecidos', 'Les plus proches'],
  all: ['Show all', 'Ver todos', 'Tout voir'],
} as const satisfies Words;
