/** Records and texts as dealers write them, each with what is true of it, by the rule that they try. */

export interface Probe {
  rule: string;
  sent: string;
  expected: string | null;
}

const list = (text: string) => text.trim().split(/\s*[|\n]\s*/);
const pairs = (rule: string, text: string): Probe[] =>
  list(text).map((row) => {
    const [sent = '', expected = ''] = row.split(' = ');
    return { rule, sent, expected: expected === 'none' ? null : expected };
  });

/** Category lists of marketplaces, and bodies as dealers' systems write them. */
const MARKETPLACE = pairs(
  'body',
  `
Bucket Truck - Boom Truck = bucket | Box Truck - Straight Truck = box_truck | Cab Chassis = cab_chassis | Car Carrier = rollback
Conventional - Day Cab = day_cab_tractor | Conventional - Sleeper Truck = sleeper_tractor | Crane Truck = crane
Cutaway - Cube Van = box_truck | Digger Derrick = digger_derrick | Dump Truck = dump | Expeditor - Hot Shot = expeditor
Farm Truck - Grain Truck = grain | Fire Truck = fire | Flatbed Truck = flatbed | Fuel Truck - Lube Truck = tanker
Garbage Truck = refuse | Grapple Truck = grapple | Landscape Truck = landscape | Mixer Truck - Asphalt Truck - Concrete Truck = mixer
Moving Van = box_truck | Plow Truck - Spreader Truck = plow_spreader | Reefer/Refrigerated Truck = refrigerated_truck
Rollback Tow Truck = rollback | Roll Off Truck = roll_off | Stake Bed = stake_bed | Stepvan = step_van | Sweeper = sweeper
Tank Truck - Tanker Truck = tanker | Utility Truck - Service Truck = service_body | Vacuum Truck = vacuum | Water Truck = tanker
Winch / Oil Field Trucks = winch | Wrecker Tow Truck = wrecker | Yard Spotter Truck = yard_tractor | Glider Kit = glider | Toter = toter
Conventional Trucks w/ Sleeper = sleeper_tractor | Conventional Trucks w/o Sleeper = day_cab_tractor | Cabover Trucks w/ Sleeper = sleeper_tractor
Curtain Side Trucks = curtain_side | Flatbed Dump Trucks = dump | Hooklift Trucks = hooklift | Rear Loader Garbage Trucks = refuse
Chipper Trucks = chipper | Feed Trucks = feed | Livestock Trucks = livestock | Sewer Trucks = jetter | Cab & Chassis Trucks = cab_chassis
Dump Body = dump | Tri-Axle Dump = dump | Landscape Dump = dump | Contractor Body = service_body | Enclosed Service Body = service_body
Mechanics Body = service_body | Service/Utility Van = service_body | Cutaway Van = cutaway | Dry Freight = box_truck | Combo Body = none
Stake Body = stake_bed | Platform Body = flatbed | Hauler Body = flatbed | Refrigerated Body = refrigerated_truck | Forestry Truck = bucket
4x4 Crew Cab Flatbed = flatbed | 24' Box w/ Liftgate = box_truck | 26ft Reefer w/ Side Door = refrigerated_truck | 72" Mid Roof Sleeper = sleeper_tractor
Truck Tractor w/ Sleeper = sleeper_tractor | Tandem Axle Day Cab = day_cab_tractor | Crew Cab Chassis = cab_chassis | Crew Cab = none
Extended Cab = none | Hydro-Excavator / Vac = hydro_excavator | HydroVac = hydro_excavator | Jetter = jetter | Food Truck = food_truck
Camión de volteo = dump | Tractocamión con camarote = sleeper_tractor | Pipa de agua = tanker | Caja seca = box_truck | Grúa = wrecker
Camion à benne = dump | Camion-citerne = tanker | Fourgon frigorifique = refrigerated_truck | Tracteur avec couchette = sleeper_tractor
Frobnicator 3000 = none | Truck = none | Medium Duty = none | Heavy Haul = none | See description = none | flatebed = flatbed | Wreker = none`,
);

const MAKE_TEXTS = pairs(
  'make',
  `Ford Motor Co. = Ford | Fоrd = Ford | FORD F-150 = Ford | F-550 = Ford | Silverado 5500 = Chevrolet | Chevrolett = Chevrolet
Peterbuilt = Peterbilt | Freigtliner = Freightliner | Kenworth T680 = Kenworth | Mack Trucks, Inc. = Mack | Western Star 4900 = Western Star
Volvo Trucks North America = Volvo | International Truck = International | Isuzi = Isuzu | Hino Motors = Hino | Sierra 3500HD = GMC`,
);

const CONSUMER = pairs(
  'blocked body',
  `sedan = sedan | 4dr Car = sedan | Sedan 4D = sedan | Extended Sport Utility = suv | SUVs = suv | 4-Door SUV = suv | Sport Utility 4D = suv
2dr Car = coupe | Coupe 2D = coupe | Station Wagon = wagon | 4dr Wagon = wagon | Mini-van, Passenger = minivan | Minivan = minivan
Hatchback 5-door = hatchback | Convertible 2D = convertible | Crossover SUV = crossover | ЅUV = suv | Sport Utility Vehicle = suv | AWD SUV = suv
Compact SUV = suv | Crew Cab SUV = suv | Touring Wagon = wagon | Guayín = wagon | Familiar = wagon | Vehículo familiar = wagon
van = none | Cargo Van = none | Passenger Wagon = none | Sport Utility Truck = none | station wagon body shop = none | Car Carrier = none
Box = none | Dump = none | Crew Cab Pickup = none | Suv hauler = none | Step Van = none | Passenger Van = none | Extended Cab = none`,
);
const NUMBERS = pairs(
  'price',
  `$129,500 OBO = 129500 | $54,900* = 54900 | 54 900 = 54900 | $54,900 + FET = 54900 | asking 65K = 65000 | $54,900.00 = 54900 | USD 54,900 = 54900
54.900 = none | 5,49,00 = none | $54,900 or $59,900 = none | $1,200/mo = none | 54,900 CAD = 54900 | 65k = 65000 | $54,900 firm = 54900 | 54900 obo = 54900`,
);
const MILEAGE = pairs(
  'mileage',
  `412,350+ = 412350 | 663 612 km = 412349 | 412,350 (verified) = 412350 | 412,350 mi = 412350 | 412K = 412000 | 100,000 miles = 100000 | TMU = none | 1,5 = none`,
);

export const PROBES: readonly Probe[] = [...MARKETPLACE, ...MAKE_TEXTS, ...CONSUMER, ...NUMBERS, ...MILEAGE];
