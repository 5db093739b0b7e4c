/**
 * The middle of Canadian postal areas by the first two characters of their codes: `area city province latitude
 * longitude`; by three where those of two are far apart. Rural areas (second character 0) are as wide as provinces and
 * left out, but for a town by its whole code.
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
T1A Medicine Hat AB 50.04 -110.68|T1B Medicine Hat AB 50.01 -110.66|T1C Medicine Hat AB 50.05 -110.72|T1G Taber AB 49.78 -112.15|T1L Banff AB 51.18 -115.57|T1M Coaldale AB 49.73 -112.62|T1P Strathmore AB 51.04 -113.40|T1R Brooks AB 50.56 -111.90
T1S Okotoks AB 50.73 -113.98|T1V High River AB 50.58 -113.87|T1W Canmore AB 51.09 -115.36|T1X Chestermere AB 51.04 -113.83|T1Y Calgary AB 51.08 -113.96|T4A Airdrie AB 51.29 -114.01|T4B Airdrie AB 51.29 -114.01|T4C Cochrane AB 51.19 -114.47
T4G Innisfail AB 52.03 -113.95|T4H Olds AB 51.79 -114.11|T4J Ponoka AB 52.68 -113.58|T4L Lacombe AB 52.47 -113.73|T4S Sylvan Lake AB 52.31 -114.10|T4T Rocky Mountain House AB 52.37 -114.92|T4V Camrose AB 53.02 -112.83|T4X Beaumont AB 53.36 -113.42
T7A Drayton Valley AB 53.22 -114.98|T7E Edson AB 53.58 -116.44|T7N Barrhead AB 54.12 -114.40|T7P Westlock AB 54.15 -113.86|T7S Whitecourt AB 54.14 -115.69|T7V Hinton AB 53.40 -117.58
T8A Sherwood Park AB 53.52 -113.32|T8B Sherwood Park AB 53.52 -113.27|T8C Sherwood Park AB 53.48 -113.22|T8G Sherwood Park AB 53.50 -113.10|T8H Sherwood Park AB 53.55 -113.30|T8L Fort Saskatchewan AB 53.71 -113.21|T8N St. Albert AB 53.63 -113.63|T8R Morinville AB 53.80 -113.65|T8S Peace River AB 56.23 -117.29
T9A Wetaskiwin AB 52.97 -113.37|T9C Vegreville AB 53.49 -112.05|T9E Leduc AB 53.27 -113.55|T9G Devon AB 53.36 -113.73|T9M Cold Lake AB 54.46 -110.18|T9N Bonnyville AB 54.27 -110.73|T9S Athabasca AB 54.72 -113.29|T9V Lloydminster AB 53.28 -110.02|T9W Wainwright AB 52.84 -110.86|T9X Vermilion AB 53.35 -110.85
S4A Estevan SK 49.14 -102.99|S4H Weyburn SK 49.66 -103.85|S9H Swift Current SK 50.29 -107.79|S9V Lloydminster SK 53.28 -109.99|S9X Meadow Lake SK 54.12 -108.43
V1A Kimberley BC 49.67 -115.98|V1B Vernon BC 50.25 -119.22|V1C Cranbrook BC 49.51 -115.77|V1E Salmon Arm BC 50.70 -119.28|V1G Dawson Creek BC 55.76 -120.24|V1H Vernon BC 50.29 -119.30|V1J Fort St. John BC 56.25 -120.85|V1K Merritt BC 50.11 -120.79|V1L Nelson BC 49.49 -117.29|V1M Langley BC 49.17 -122.58|V1N Castlegar BC 49.32 -117.66|V1R Trail BC 49.10 -117.71|V1S Kamloops BC 50.65 -120.37|V1T Vernon BC 50.27 -119.28
V2A Penticton BC 49.50 -119.59|V2B Kamloops BC 50.71 -120.36|V2C Kamloops BC 50.67 -120.30|V2E Kamloops BC 50.64 -120.36|V2H Kamloops BC 50.72 -120.31|V2G Williams Lake BC 52.13 -122.14|V2J Quesnel BC 52.98 -122.49|V2K Prince George BC 53.98 -122.77|V2L Prince George BC 53.91 -122.74|V2M Prince George BC 53.92 -122.78|V2N Prince George BC 53.88 -122.79
V8A Powell River BC 49.84 -124.52|V8B Squamish BC 49.70 -123.16|V8C Kitimat BC 54.05 -128.65|V8G Terrace BC 54.52 -128.60|V8J Prince Rupert BC 54.32 -130.32
X0A0H0 Iqaluit NU 63.75 -68.52|X1 Yellowknife NT 62.45 -114.37|Y1 Whitehorse YT 60.72 -135.06`
  .trim()
  .split(/[|\n]/)
  .map((row) => {
    const [zip = '', ...words] = row.split(' ');
    const [state = '', latitude, longitude] = words.splice(-3);
    return { zip, city: words.join(' '), state, latitude: Number(latitude), longitude: Number(longitude) };
  });
