/** Names of places that begin with a word for `new`: there it says nothing of a truck's condition. */
export const PLACES_NAMED_NEW = [
  'laredo leon casas guerrero progreso ideal padilla italia rosita vallarta',
  'york jersey mexico hampshire orleans braunfels haven london bedford brunswick castle albany rochelle',
  'philadelphia westminster glasgow boston iberia britain kensington lenox waverly smyrna hamburg hope paltz',
  'windsor bern richmond carlisle caney market lisbon milford berlin prague ulm port hartford tecumseth',
]
  .flatMap((line) => line.split(' '))
  .flatMap((place) => [`new ${place}`, `nuevo ${place}`, `nueva ${place}`]);
