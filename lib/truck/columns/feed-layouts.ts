import { toList } from '../record/to-list.ts';
import { toTable } from '../text/table.ts';

/**
 * What dealers' systems call the columns of their files, beside the names of the record table. Sources: public format
 * descriptions, generators and sample files of vAuto, HomeNet, Google vehicle listings, Meta automotive ads, TikTok,
 * Autoxloo and truck dealers' SFTP drops.
 */

/** Parts of a value that come in columns of their own, and columns that name something a truck has or lacks. */
export const PART_NAMES = {
  engine_make: ['engine make', 'engine manufacturer', 'engine mfr', 'engine brand'],
  transmission_make: [
    'transmission make',
    'transmission manufacturer',
    'transmission mfr',
    'transmission brand',
  ],
  sold: toList(`
    sold, is sold, sold flag, unit sold, sold y/n, sold date, date sold, sold on, vendido, vendida,
    fecha de venta
  `),
  feature: ['apu', 'pto', 'collision mitigation', 'bunk beds'],
} as const satisfies Record<string, readonly string[]>;

/** Numbered columns of one list: `image1`, `photo_2`, `image[0].url`. Of each, whatever follows the number. */
export const NUMBERED_IMAGES = toList('image, photo, picture, pic, img, image link, photo url, image url');

/** What changes with every export says nothing of a truck, and would make every row a change. */
export const PASSING_NAMES = toList(`
  age, days in stock, days in inventory, days on lot, days on market, inventory age, stock age,
  photos last modified date, export date, exported at, feed date, file date, views, vdp views, page views,
  row number, row id, last updated, last update, last modified, last changed, updated at, modified at,
  date updated, date modified, export time, timestamp
`);

interface Layout {
  columns: readonly string[];
  /** Where this layout means something else by a column than the names above. */
  map?: Readonly<Record<string, string>>;
  /** It comes without a header. */
  headless?: boolean;
}

export const KNOWN_LAYOUTS: Readonly<Record<string, Layout>> = toTable({
  truck_sftp_csv: {
    columns: toList(`
      UntId, Stock Type, Year, Make, Model, VIN, Price, Mileage, Engine Make, Engine, Horsepower,
      Transmission Type, Suspension Type, Drive Train, Body Type, GVWR, APU, PTO, Collision Mitigation,
      Bunk Beds
    `),
    map: { UntId: 'stock_number', 'Stock Type': 'condition' },
  },
  vauto_csv: {
    columns: toList(`
      DealerId, Stock #, VIN, New/Used, Year, Make, Model, Model Code, Body, Transmission, Series,
      Series Detail, Door Count, Odometer, Engine Cylinder Ct, Engine Displacement, Drivetrain Desc, Colour,
      Interior Color, Price, MSRP, Inventory Date, Certified, Description, Features, City MPG, Highway MPG,
      Photo Count, Photos, Photos Last Modified Date, Dealer Name, Engine, Fuel, Age
    `),
  },
  homenet_csv: {
    columns: toList(`
      type, stock, vin, year, make, model, body, trim, modelnumber, doors, exteriorcolor, interiorcolor,
      enginecylinders, enginedisplacement, transmission, miles, sellingprice, msrp, bookvalue, invoice,
      certified, dateinstock, description, dealer_address, dealer_city, dealer_state, dealer_zip,
      engine_description, transmission_description, drivetrain, fuel_type, internet_price, ImageList, Comments
    `),
    map: { type: 'condition' },
  },
  google_vehicle_listings: {
    columns: toList(`
      vin, id, store_code, place_id, maps_url, dealership_name, dealership_address, image_link,
      additional_image_link, link, date_in_stock, price, vehicle_msrp, condition, make, model, trim, year,
      mileage
    `),
    map: { id: 'stock_number' },
  },
  meta_aia: {
    columns: toList(`
      vehicle_id, title, description, url, make, model, year, mileage.value, mileage.unit, image[0].url,
      image[0].tag[0], transmission, fuel_type, body_style, drivetrain, vin, condition, price, address,
      exterior_color, state_of_vehicle, availability, latitude, longitude
    `),
    // Here `condition` is how good it looks, and `state_of_vehicle` is new or used.
    map: { vehicle_id: 'stock_number', state_of_vehicle: 'condition' },
  },
  autoxloo_ax10: {
    columns: toList(`
      stock, title, vin, year, make, model, trim, free_text, type, body, mileage, price_current,
      price_wholesale, price_cost, InternetPrice, MSRP, BookValue, exterior, interior, doors, engine,
      transmission, drive_type, fuel_type, warranty, warranty_description, description, pics, condition,
      options
    `),
    map: { exterior: 'color' },
  },
  pipe_no_header: {
    columns: toList(`
      make, model, type, condition, year, price, description, title_status, odometer, vin, stock, expiration,
      link, image1, image2, image3, image4, image5, image6, image7, image8, image9, image10, sale_type
    `),
    map: { type: 'body_type' },
    headless: true,
  },
  truck_xml: {
    columns: toList('vin, year, make, model, category, listing_type, new_or_used, price, odometer_miles'),
    map: { category: 'body_type', new_or_used: 'condition' },
  },
});
