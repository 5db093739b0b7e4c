/**
 * The middle of Canadian postal areas by the first two characters of their codes: `area city province latitude
 * longitude`. Rural areas (second character 0) are as wide as provinces and left out.
 */
export const CANADIAN_AREAS = `
A1 St. John's NL 47.56 -52.71|A2 Corner Brook NL 48.95 -57.95|B1 Sydney NS 46.14 -60.19|B2 Truro NS 45.36 -63.28
B3 Halifax NS 44.65 -63.59|B4 Bedford NS 44.73 -63.66|B5 Yarmouth NS 43.84 -66.12|B6 Amherst NS 45.83 -64.21|C1 Charlottetown PE 46.24 -63.13
E1 Moncton NB 46.09 -64.78|E2 Saint John NB 45.27 -66.06|E3 Fredericton NB 45.96 -66.64|G1 Quebec QC 46.81 -71.21|G2 Quebec QC 46.88 -71.33
G3 Quebec QC 46.76 -71.41|G5 Rimouski QC 48.45 -68.52|G6 Levis QC 46.80 -71.18|G7 Saguenay QC 48.42 -71.06|G8 Trois-Rivieres QC 46.35 -72.55|G9 Trois-Rivieres QC 46.34 -72.60
H1 Montreal QC 45.59 -73.57|H2 Montreal QC 45.53 -73.59|H3 Montreal QC 45.49 -73.59|H4 Montreal QC 45.48 -73.66|H7 Laval QC 45.58 -73.75|H8 Montreal QC 45.44 -73.65|H9 Pointe-Claire QC 45.46 -73.83
J1 Sherbrooke QC 45.40 -71.89|J2 Drummondville QC 45.88 -72.48|J3 Saint-Jean-sur-Richelieu QC 45.31 -73.26|J4 Longueuil QC 45.53 -73.49|J5 Repentigny QC 45.74 -73.46|J6 Terrebonne QC 45.70 -73.63|J7 Saint-Jerome QC 45.78 -74.00|J8 Gatineau QC 45.47 -75.70|J9 Gatineau QC 45.45 -75.80
K1 Ottawa ON 45.42 -75.67|K2 Ottawa ON 45.33 -75.80|K4 Rockland ON 45.55 -75.29|K6 Cornwall ON 45.02 -74.73|K7 Kingston ON 44.23 -76.49|K8 Belleville ON 44.16 -77.38|K9 Peterborough ON 44.31 -78.32
L1 Oshawa ON 43.88 -78.90|L2 St. Catharines ON 43.13 -79.20|L3 Markham ON 43.86 -79.33|L4 Vaughan ON 43.82 -79.48|L5 Mississauga ON 43.58 -79.64|L6 Brampton ON 43.68 -79.76|L7 Burlington ON 43.37 -79.82|L8 Hamilton ON 43.25 -79.84|L9 Hamilton ON 43.22 -79.90
M1 Scarborough ON 43.77 -79.24|M2 North York ON 43.77 -79.39|M3 North York ON 43.75 -79.45|M4 Toronto ON 43.68 -79.36|M5 Toronto ON 43.65 -79.39|M6 Toronto ON 43.67 -79.45|M8 Etobicoke ON 43.62 -79.51|M9 Etobicoke ON 43.70 -79.56
N1 Guelph ON 43.54 -80.25|N2 Kitchener ON 43.46 -80.49|N3 Cambridge ON 43.38 -80.33|N4 Owen Sound ON 44.57 -80.94|N5 London ON 43.00 -81.21|N6 London ON 42.97 -81.29|N7 Sarnia ON 42.98 -82.37|N8 Windsor ON 42.31 -82.99|N9 Windsor ON 42.29 -83.06
P1 North Bay ON 46.31 -79.46|P3 Sudbury ON 46.49 -80.99|P4 Timmins ON 48.48 -81.33|P6 Sault Ste. Marie ON 46.53 -84.34|P7 Thunder Bay ON 48.40 -89.25
R1 Brandon MB 49.85 -99.95|R2 Winnipeg MB 49.89 -97.09|R3 Winnipeg MB 49.87 -97.19|R7 Brandon MB 49.84 -99.96|S4 Regina SK 50.45 -104.61|S6 Prince Albert SK 53.20 -105.75|S7 Saskatoon SK 52.13 -106.66|S9 North Battleford SK 52.78 -108.29
T1 Lethbridge AB 49.69 -112.83|T2 Calgary AB 51.04 -114.06|T3 Calgary AB 51.07 -114.16|T4 Red Deer AB 52.27 -113.81|T5 Edmonton AB 53.56 -113.52|T6 Edmonton AB 53.49 -113.49|T7 Spruce Grove AB 53.54 -113.91|T8 Grande Prairie AB 55.17 -118.80|T9 Fort McMurray AB 56.73 -111.38
V1 Kelowna BC 49.88 -119.48|V2 Abbotsford BC 49.05 -122.31|V3 Surrey BC 49.19 -122.85|V4 Delta BC 49.09 -123.06|V5 Burnaby BC 49.24 -123.02|V6 Vancouver BC 49.25 -123.12|V7 North Vancouver BC 49.32 -123.08|V8 Victoria BC 48.44 -123.36|V9 Nanaimo BC 49.16 -123.94
X1 Yellowknife NT 62.45 -114.37|Y1 Whitehorse YT 60.72 -135.06`
  .trim()
  .split(/[|\n]/)
  .map((row) => {
    const [zip = '', ...words] = row.split(' ');
    const [state = '', latitude, longitude] = words.splice(-3);
    return { zip, city: words.join(' '), state, latitude: Number(latitude), longitude: Number(longitude) };
  });
