import { toPairs } from '../text/table.ts';

/** US states, the federal district and territories by postal code (USPS Publication 28). */
export const US_STATES = toPairs(`
  AL Alabama, AK Alaska, AZ Arizona, AR Arkansas, CA California, CO Colorado, CT Connecticut, DE Delaware,
  DC District of Columbia, FL Florida, GA Georgia, HI Hawaii, ID Idaho, IL Illinois, IN Indiana, IA Iowa,
  KS Kansas, KY Kentucky, LA Louisiana, ME Maine, MD Maryland, MA Massachusetts, MI Michigan, MN Minnesota,
  MS Mississippi, MO Missouri, MT Montana, NE Nebraska, NV Nevada, NH New Hampshire, NJ New Jersey,
  NM New Mexico, NY New York, NC North Carolina, ND North Dakota, OH Ohio, OK Oklahoma, OR Oregon,
  PA Pennsylvania, RI Rhode Island, SC South Carolina, SD South Dakota, TN Tennessee, TX Texas, UT Utah,
  VT Vermont, VA Virginia, WA Washington, WV West Virginia, WI Wisconsin, WY Wyoming, AS American Samoa,
  GU Guam, MP Northern Mariana Islands, PR Puerto Rico, VI Virgin Islands, FM Micronesia,
  MH Marshall Islands, PW Palau
`);

/** Canadian provinces and territories by postal code (Canada Post). */
export const CANADIAN_PROVINCES = toPairs(`
  AB Alberta, BC British Columbia, MB Manitoba, NB New Brunswick, NL Newfoundland and Labrador,
  NS Nova Scotia, NT Northwest Territories, NU Nunavut, ON Ontario, PE Prince Edward Island, QC Quebec,
  SK Saskatchewan, YT Yukon
`);

/**
 * Mexican states by the code of ISO 3166-2: three letters, so that none is a US state or Canadian province. Querétaro,
 * whose code Canadians write for Quebec, has the usual one.
 */
export const MEXICAN_STATES = toPairs(`
  AGU Aguascalientes, BCN Baja California, BCS Baja California Sur, CAM Campeche, CHP Chiapas,
  CHH Chihuahua, CMX Ciudad de México, COA Coahuila, COL Colima, DUR Durango, GUA Guanajuato, GRO Guerrero,
  HID Hidalgo, JAL Jalisco, MEX Estado de México, MIC Michoacán, MOR Morelos, NAY Nayarit, NLE Nuevo León,
  OAX Oaxaca, PUE Puebla, QRO Querétaro, ROO Quintana Roo, SLP San Luis Potosí, SIN Sinaloa, SON Sonora,
  TAB Tabasco, TAM Tamaulipas, TLA Tlaxcala, VER Veracruz, YUC Yucatán, ZAC Zacatecas
`);

/** Other spellings and short forms of states and provinces, with slashes between them. */
export const STATE_SPELLINGS = toPairs(`
  AL ala, AZ ariz, AR ark, CA calif/cal, CO colo, CT conn, DE del, DC washington dc/d c, FL fla, IL ill/ills,
  IN ind, KS kans/kan, MA mass, MI mich, MN minn, MS miss, MT mont, NE neb/nebr, NV nev,
  NH n hamp/n hampshire, NJ n jersey, NM n mex/n mexico/nuevo mexico, NY n york/nueva york,
  NC n car/n carolina/no carolina/carolina del norte, ND n dak/n dakota/no dakota/dakota del norte, OK okla,
  OR ore/oreg, PA penn/penna, SC s car/s carolina/so carolina/carolina del sur,
  SD s dak/s dakota/so dakota/dakota del sur, TN tenn, TX tex/tejas, WA wash/washington state,
  WV w va/w virginia, WI wis/wisc, WY wyo, AB alta, BC brit col/b columbia/colombie britannique, MB man,
  NB nouveau brunswick/n brunswick, NL nf/nfld/newfoundland/labrador/newfoundland & labrador/terre neuve,
  NS nouvelle ecosse/n scotia, NT nwt, ON ont, PE pei/ile du prince edouard, QC pq/que/québec, SK sask,
  YT yukon territory, AGU ags, BCN baja calif/baja california norte, CAM camp, CHP chis, CHH chih,
  CMX cdmx/d f/distrito federal/mexico df/ciudad mexico, COA coah/coahuila de zaragoza, DUR dgo, GUA gto,
  HID hgo, MEX edomex/edo mex/edo de mexico/estado mexico, MIC michoacán de ocampo, NLE nuevo leon,
  QRO querétaro de arteaga, ROO q roo/q r, TAM tamps, TLA tlax, VER veracruz de ignacio de la llave
`);

/** Spellings that mean a Mexican state only if the place is in Mexico. */
export const MEXICAN_SPELLINGS = toPairs(`
  NLE nl, BCN bc, COL col, MIC mich, QRO que, SON son, SIN sin, MEX mex/mexico
`);

/** Names of places that begin with a word for `new`, which is not a truck's condition there. */
export const PLACES_NAMED_NEW = [
  'laredo leon casas guerrero progreso ideal padilla italia rosita vallarta',
  'york jersey mexico hampshire orleans braunfels haven london bedford brunswick castle albany rochelle',
  'philadelphia westminster glasgow boston iberia britain kensington lenox waverly smyrna hamburg hope paltz',
  'windsor bern richmond carlisle caney market lisbon milford berlin prague ulm port hartford tecumseth',
]
  .flatMap((line) => line.split(' '))
  .flatMap((place) => [`new ${place}`, `nuevo ${place}`, `nueva ${place}`]);
