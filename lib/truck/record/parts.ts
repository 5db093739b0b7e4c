import { toList } from '../text/table.ts';
import type { Entry } from './entry.ts';

/** The members of a record that are no plain fields: identity, place, images, and others with their own rules. */
export const PARTS = {
  vin: {
    kind: 'part',
    required: true,
    names: ['vin', 'VIN', 'vehicle_identification_number'],
    columns: toList(`
      vin number, vin no, vehicle id number, serial number, serial no, chassis number, vehicleid, niv,
      número de serie, numero de serie, no de serie, serie, serno, serial, serial nbr
    `),
    weak: toList('serial number, serial no, serno, serial, serial nbr, vehicleid, serie'),
    label: 'VIN',
    about: 'The VIN: 17 characters once white space and dashes are stripped.',
    example: '3AKJHHDR0KSKA1234',
    search: { text: true },
  },
  source_provider_id: {
    kind: 'part',
    names: ['source_provider_id', 'sourceProviderId'],
    columns: ['dealer id', 'store_code', 'provider id'],
    label: 'Source system',
    about: 'Where the record comes from, for example the id of a DMS; part of the dedup hash.',
    example: 'dms-1',
  },
  status: {
    kind: 'part',
    names: ['status'],
    columns: toList(`
      availability, listing status, inventory status, sale status, sales status, vehicle status, truck status,
      unit status, stock status, estatus, statut
    `),
    weak: ['status', 'availability'],
    about: 'Status of the listing; any other value is ignored with a warning.',
    example: 'available',
    search: {
      values: { about: 'available, sold, delisted; default available.', example: 'available' },
      facet: true,
    },
  },
  dealer: {
    kind: 'part',
    names: ['dealer', 'dealer_slug'],
    // Only a dealer can say that a column holds slugs.
    columns: false,
    about: 'Slug of one of the account’s dealers; absent: the account’s only dealer.',
    example: 'lone-star-trucks',
    search: { values: { about: 'Slugs of dealers.', example: 'lone-star-trucks' }, facet: true },
  },
  location: {
    kind: 'part',
    names: ['location'],
    columns: toList(`
      address, location, vehicle location, lot location, store, lot, ubicación, ubicacion, sucursal,
      unit location, unit loc, truck location, seller location, branch location, loc, where, emplacement, lieu
    `),
    weak: toList(`
      location, address, store, lot, ubicación, ubicacion, sucursal, unit location, unit loc, truck location,
      seller location, branch location, loc, where, emplacement, lieu
    `),
    about: 'Place of the truck; its members are also accepted at the top level of the record.',
    example: undefined,
    quality: 10,
  },
  images: {
    kind: 'part',
    names: ['images', 'photos', 'image_urls'],
    columns: toList(`
      image, imagelist, image url, photo, photo urls, photo url, photo_url_list, photo list, pics, pictures,
      picture urls, image_link, image links, main image, additional_image_link, fotos, imágenes, imagenes
    `),
    weak: ['image', 'photo'],
    label: 'Photos',
    about: 'Image URLs (http or https), at most 100.',
    example: ['https://dealer.example/trucks/U10482-1.jpg'],
    quality: 14,
  },
  attributes: {
    kind: 'part',
    names: ['attributes'],
    columns: false,
    about: 'Fields the service does not know, as sent.',
    example: undefined,
  },
} as const satisfies Record<string, Entry>;

/** Members of `location`, each also accepted at the top level of a record. */
export const PLACE_PARTS = {
  city: {
    kind: 'text',
    names: ['city'],
    columns: toList('dealer_city, location city, vehicle city, lot city, ciudad, ville'),
    about: 'City.',
    example: 'San Antonio',
    search: { text: true },
  },
  state: {
    kind: 'text',
    names: ['state', 'province'],
    columns: toList(`
      state, dealer_state, province, location state, state province, prov, edo, region, dealer region, estado
    `),
    weak: ['state', 'region', 'estado'],
    about: 'State, by name or two letters.',
    example: 'TX',
    search: {
      values: { about: 'States or provinces, by name or two letters.', example: 'TX,Oklahoma' },
      facet: true,
      text: true,
    },
  },
  zip: {
    kind: 'text',
    names: ['zip', 'zip_code', 'postal_code', 'postalCode'],
    columns: toList('dealer_zip, location zip, postcode, código postal, codigo postal, code postal'),
    label: 'ZIP code',
    about: 'ZIP code.',
    example: '78219',
  },
  country: {
    kind: 'text',
    names: ['country'],
    columns: toList('country code, dealer_country, location country, país, pais, pays'),
    about:
      'Country, by name or code; null if the record has none. It decides how state, currency and unit are read.',
    example: 'US',
  },
  latitude: { kind: 'integer', names: ['latitude', 'lat'], about: 'Latitude in degrees.', example: 29.4492 },
  longitude: {
    kind: 'integer',
    names: ['longitude', 'lon', 'lng'],
    columns: ['long'],
    weak: ['long'],
    about: 'Longitude in degrees.',
    example: -98.3446,
  },
} as const satisfies Record<string, Entry>;
