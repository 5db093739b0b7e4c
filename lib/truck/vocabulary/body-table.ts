/**
 * Bodies of trucks, two levels: family and body. A head line holds `body | family | English | Spanish | French`,
 * where `*` marks bodies whose prices are compared with those of the others of the family so marked; the
 * indented lines below it hold the spellings dealers and buyers use, separated by commas. `=` marks a spelling that
 * counts only when it is all there is, `~` one that counts only when nothing else names a body: products of upfitters that
 * build one kind. Sources: vPIC BodyStyle, category lists of Commercial Truck Trader, TruckPaper,
 * Work Truck Solutions, vAuto, HomeNet and Meta, dealers' files. Spacing, case, plurals, accents do not matter.
 */
export const BODY_TABLE = `
sleeper_tractor | tractor* | Sleeper tractor | Tractocamión con dormitorio | Tracteur avec couchette
  sleeper, sleeper cab, sleeper semi, sleeper berth, double bunk, camarote, dormitorio, con camarote, con dormitorio, couchette, tractor sleeper, estudio, con estudio, tracto estudio
  cabina dormitorio, cabine couchette, tractocamion dormitorio, flat top sleeper, flattop sleeper, condo, condo sleeper, mid roof, midroof, raised roof, hi rise, high rise, hi rise sleeper
  studio sleeper, stand up sleeper, standup, integral sleeper, aerodyne, aerocab, ultra sleeper, ultra cab, ultracab, sky rise, double bunk sleeper, cabina con camarote, tracteur couchette, tracteur avec couchette, tracteur routier avec couchette
day_cab_tractor | tractor* | Day cab tractor | Tractocamión sin dormitorio | Tracteur sans couchette
  day cab, daycab, without sleeper, no sleeper, non sleeper, sin dormitorio, sin camarote, sans couchette, cabine de jour, cabina de dia
  cabine courte, cabina corta, tracteur de jour, tracteur cabine de jour, d c
tractor | tractor* | Tractor | Tractocamión | Tracteur routier
  truck tractor, semi, semi truck, semi tractor, road tractor, tractor unit, highway tractor, over the road, otr, big rig, eighteen wheeler, 18 wheeler
  semi trailer truck, tractor trailer, prime mover, 5th wheel tractor, tractor truck, tractora, tractor de carretera, camion remorque
  tractocamion, tracto camion, tracto, quinta rueda, trailero, tracteur, tracteur routier, camion tracteur, fifth wheel tractor, =conventional
yard_tractor | tractor | Yard tractor | Tractor de patio | Tracteur de parc
  yard spotter, hostler, terminal tractor, yard goat, spotter, yard truck, yard jockey, yard dog, yard horse, yard hostler, yard tractor, shunt, shunter, shunt truck
  tractor de patio, mula, tracteur de manutention, tracteur de cour, yard mule
glider | tractor* | Glider | Camión sin tren motriz | Camion sans groupe motopropulseur
  glider kit
toter | tractor | Toter | Remolcador de casas | Toter
  toter truck, mobile home toter, toter home
winch | tractor | Winch truck | Camión de malacate | Camion treuil
  winch truck, winch tractor, gin pole, gin pole truck, gin truck, oilfield winch, oil field winch, oil field bed, texas bed, winch bed, rig up, malacate, treuil, bed truck
cab_chassis | chassis* | Cab chassis | Chasis cabina | Châssis-cabine
  cab and chassis, chassis cab, incomplete chassis cab, chassis, cab chassis, chasis, chasis cabina, cabina y chasis, chassis cabine
  chassis and cab, single cab chassis, c and c, bare chassis, cab only, cab chasis, chasis cab, chassis cabina
cutaway | chassis* | Cutaway | Chasis cutaway | Châssis cutaway
  cutaway van, chasis cortado, fourgon tronque, cut away, incomplete cutaway, cutaway chassis, commercial cutaway
stripped_chassis | chassis* | Stripped chassis | Chasis desnudo | Châssis nu
  incomplete stripped chassis, strip chassis, p chassis
motorhome_chassis | chassis | Motorhome chassis | Chasis de autocaravana | Châssis d’autocaravane
  motorhome, motor home, class a chassis, rv chassis, incomplete motor home chassis
box_truck | van | Box truck | Camión de caja | Camion cube
  box, straight truck, straight, cube van, cube truck, cube, dry van truck, dry van, dry box, dry freight, van body, van box, moving van, moving truck
  furniture van, household mover, household goods, straight box truck, straight truck box, frp box, plywood box, box van, freight box, freight body, dry cargo, dry freight van, dry freight body, cargo box, box body
  van truck, mover, moving, caja, caja seca, camion de caja
  mudanza, camion de mudanza, furgon seco, boite fermee, camion boite, camion de demenagement, ~morgan, ~supreme, ~wabash, ~multivans, ~us truck body
  camion cube, fourgon sec, caja cerrada, furgon de mudanza, camion fourgon, porteur fourgon
curtain_side | van | Curtain side | Camión de cortinas | Camion à rideaux
  curtainside, curtain sider, curtain, conestoga, side curtain, soft side, soft sided, tautliner, encortinado, encortinada, plataforma encortinada, cortina, cortinas laterales, de cortina, rideaux, a rideaux, rideaux coulissants
refrigerated_truck | van | Refrigerated truck | Camión refrigerado | Camion frigorifique
  reefer, reefer truck, refer, reffer, refrigerated, refrigerated box, refrigerated van, refrigerated body, refrigeration, refrigerator, refer truck, freezer, freezer truck
  caja refrigerada, refrigerado, caja fria, thermo, termo, thermoking, frigorifique, frigorifico, refrigere, ice cream truck, ice cream, cold plate, frozen, frozen food, frozen food truck, meat truck, insulated box, insulated van, insulated body, insulated reefer
  temperature controlled, temp controlled, unidad refrigerada, camion refrigere, ~kidron, ~carrier supra, ~thermo king
step_van | van | Step van | Camioneta de reparto | Fourgon de livraison
  stepvan, fourgon a pas, walk in van, walk in, walkin, step van walk in van, parcel van, parcel, bread truck, bread van, delivery van, p1000, p700, p1200, p500, package car, ~grumman olson, ~utilimaster, ~olson, fourgon utilitaire
  forward control van, camioneta de reparto, multi stop
food_truck | van | Food truck | Camión de comida | Camion-restaurant
  food truck, food van, concession, concession truck, taco truck, catering truck, mobile kitchen, lonchera, camion de comida, cantine mobile, camion cuisine, kitchen truck, lunch truck, lunch wagon, chuck wagon
  canteen truck, canteen, catering, vending truck, ice cream vending, coffee truck, mobile catering, camion cantine, food trailer truck
cargo_van | van | Cargo van | Furgoneta de carga | Fourgonnette utilitaire
  van, cargo van, high roof van, panel van, cargo, full size van, full size cargo van, fourgonnette, fourgon, furgoneta, furgon, camioneta de carga, extended cargo van, transit van, sprinter van, crew van
passenger_van | van | Passenger van | Van de pasajeros | Fourgonnette de tourisme
  shuttle van, passenger van, passenger, full size passenger van, van de pasajeros, transit passenger, people mover, wheelchair van, paratransit van
beverage | van | Beverage truck | Camión de bebidas | Camion à boissons
  bottler, beverage truck, beverage body, beverage bay, side loader beverage, bay body, bay truck, ~hackney, ~mickey, side bay, soda truck, refresquero, boissons, beer truck
armored | van | Armored truck | Camión blindado | Camion blindé
  armoured, armored car, armored truck, cash in transit, blindado, blinde
expeditor | van | Expeditor | Camión expreso | Camion express
  expediter, expedite, expedited, expeditor sleeper
flatbed | platform* | Flatbed | Plataforma | Plateau
  flat bed, flat deck, flatdeck, platform, platform body, platform bed, deck, deck body, plataforma, plateau, plate forme, rack body, camion plataforma, planchon, gooseneck bed, hauler body, hauler bed, western hauler
  ~moffett, ~cm truck bed, ~truck bed, ~bradford built, ~piggyback, cama plana, plataforma plana, camion plateau
stake_bed | platform* | Stake bed | Estacas | Ridelles
  stakebed, stake truck, stake, stake body, stake side, stake rack, stake and rack, stakes, stake platform, rack truck, estaca, estacas, redilas, ridelle, ridelles, camion de redilas
landscape | platform* | Landscape truck | Camión de jardinería | Camion paysagiste
  landscape truck, dove tail, beaver tail, dovetail, landscaper, landscaping, landscape body, landscape bed, beavertail, jardineria, paysagiste, lawn care
car_hauler | platform | Car hauler | Madrina | Porte-autos
  auto hauler, auto transport, car haul, auto carrier, vehicle transport, autotransporte, madrina, nodriza de autos, ~cottrell, porte autos, nodriza, car hauler truck, car transporter
rollback | tow | Rollback | Grúa de plataforma | Dépanneuse à plateau
  rollback tow, roll back, rollback carrier, rollback wrecker, =carrier, ~jerr dan, ~jerrdan, car carrier, rolloff tow, tilt bed, tilt deck, slide back, slideback, tow rollback
  flatbed tow, flatbed tow truck, flatbed wrecker, carrier truck, steel carrier, aluminum carrier, ~chevron carrier, ~vulcan carrier, ~kilar, ~carrier, grua plataforma, grua de plataforma, grua tipo plataforma, grua cama baja, depanneuse plateau, remorqueuse plateforme, remorqueuse a plateforme, remorqueuse plateau, remorqueuse a plateau, industrial carrier, rollback tow truck, sliding bed
wrecker | tow | Wrecker | Grúa de arrastre | Dépanneuse
  tow truck, tow, wrecker tow truck, rotator, self loader, self loader wrecker, repo truck, repo, snatch truck, twin line, ~miller industries, ~century wrecker, ~vulcan, towing, heavy wrecker, recovery, recovery truck
  grua de arrastre, grua, camion grua de arrastre, remolque grua, depanneuse, remorqueuse, wheel lift
dump | dump | Dump truck | Camión de volteo | Camion à benne
  dump truck, dump body, dump bed, dump box, tri axle dump, quad axle dump, dumper, tipper, end dump, super dump, superdump, contractor dump, transfer dump, side dump, bottom dump, dump flatbed
  gravel box, gravel truck, gravel body, gravel dump, caja de volteo, flat dump, stake dump, super 10, super 16, ten wheeler, quint axle dump
  dompeur, camion dompeur, dumpe, gondola, camion gondola, ~rugby, ~eliminator, ~ox body, ~ox bodies, ~godwin, ~crysteel, ~galion, ~heil dump
  volteo, de volteo, camion de volteo, volquete, volqueta, tolva, basculante, benne, a benne, benne basculante, camion benne, camion a benne, articulated dump, flat bed dump, landscape dump
roll_off | container | Roll-off | Roll-off | Camion multibenne
  rolloff, roll off, rolloff truck, dumpster, dumpster truck, bin truck, bin hauler, container truck, cable hoist, cable roll off, multibenne, portacontenedor, lugger, hoist truck, ~galbreath, ~dragon hoist, ~g and h, camion a conteneur, porte conteneur
hooklift | container | Hooklift | Gancho | Ampliroll
  hook lift, hooklift truck, hook loader, hook truck, hook, swap loader, ~swaploader, ~multilift, ~stellar hook, ampliroll, gancho, porte conteneur a crochet
refuse | refuse | Refuse truck | Camión recolector de basura | Camion à ordures
  garbage, garbage truck, packer, refuse truck, side loader, front loader, rear loader, side load, front load, rear load, trash, trash truck, sanitation, recycling, recycler, recycle truck
  refuse packer, waste, basura, camion de basura, basurero, recolector, ordures, camion a ordures, vidangeur, compactor, compactador, automated side loader, asl, front end loader, half pack, sideloader, rearloader
  ~heil, ~mcneilus rear, ~mcneilus front, ~labrie, ~leach, ~new way, camion de ordures, benne a ordures, recolector de basura
mixer | concrete | Mixer | Camión revolvedor | Bétonnière
  cement mixer, concrete mixer, mixer truck, ready mix, readymix, cement truck, concrete truck, cement, concrete, redi mix, transit mixer, agitator, volumetric mixer, volumetric, ready mix truck, bridgemaster
  ~mcneilus, ~cemen tech, ~schwing mixer, trompo, front discharge, rear discharge
  revolvedora, revolvedor, olla, mezclador, mezcladora, betonniere, malaxeur, camion de cemento, mixer concrete truck, hormigonera, asphalt, asphalt truck
concrete_pump | concrete | Concrete pump | Bomba de concreto | Pompe à béton
  concrete pump truck, boom pump, line pump, concrete boom, ~putzmeister, ~schwing, ~alliance pump, bomba de concreto, pompe a beton, pump truck, concrete pumper, boom pumper, line pumper
tanker | tank | Tank truck | Camión cisterna | Camion-citerne
  tank truck, tank, tanker truck, tank body, fuel truck, fuel truck lube truck, water truck, propane, propane truck, bobtail tank, bobtail, bobtail tanker, bobtail propane, water tanker, fuel tanker, fuel, fuel and lube, lube, lube truck
  milk, milk tanker, crude oil, asphalt distributor, distributor truck, water tank, water wagon, water, chemical tank, spray, sprayer, hydroseeder, pressure washer, gasoline truck, fuel oil, oil truck
  fuel body, lube body, water body, refined fuel, lpg truck, lpg delivery, lp gas truck, heating oil, heating oil truck, fuel delivery, potable water, carro tanque, tanque, aviation refueler, refueler, jet refueler
  pipa, pipa de agua, cisterna, camion cisterna, citerne, camion citerne, autotanque, camion de agua, orquesta, citerne a eau
vacuum | vacuum | Vacuum truck | Camión de vacío | Camion aspirateur
  vacuum truck, vac, vac truck, vacuum tanker, vacuum tank, industrial vacuum, portable toilet, portable toilet service, portable restroom, porta potty, porta john, restroom truck, honey wagon, pump out, pumper septic
  septic, septic truck, septic pumper, septic tank, septic vac, pump truck septic, vidange, grease trap, camion de vacio, al vacio, aspirateur, camion vacuum, liquid vac, guzzler, vac trailer truck, wet vac, ~presvac
  ~keith huber, ~satellite, air mover
hydro_excavator | vacuum | Hydro excavator | Hidroexcavador | Hydroexcavatrice
  hydro excavation, hydro vac, hydrovac, hydro excavator vac, hydro excavating, hydrovac excavator, vactor hxx, vactor hydrovac, ~tornado, hydroexcavator, air excavator, hidroexcavador, hidroexcavadora
  hydroexcavatrice, hydro excavatrice, suction excavator, vacuum excavator
jetter | vacuum | Sewer jetter | Desazolvador | Hydrocureur
  sewer jetter, jet truck, jetter truck, sewer truck, sewer, sewer cleaner, sewer jet, sewer vac, combo sewer, combination sewer cleaner, ~vactor, ~vac con, ~vaccon, sewer vacuum, jet rodder, sewer rodder, hydrocureur
  desazolve, combination vacuum, catch basin cleaner
service_body | utility | Service truck | Camión de servicio | Camion de service
  service truck, service, service bed, service body, utility truck, utility body, utility, utility bed, mechanics truck, mechanic, mechanics, mechanics body, mechanic truck, crane service, utility van
  service utility van, service van, enclosed service, kuv, tool body, open utility, canopy service, canopy body, plumber body, service utility, svc utility, welder body, mechanic service, mechanics service, mechanics crane, mechanics crane body, mechanic crane, mechanics body with crane
  lube service body, ~knapheide, ~reading, ~stahl, ~royal service
  welding truck, welder, welding, line body, enclosed utility, plumber, plumbers body, locksmith, camion de servicio, servicio, taller movil, tire truck, service crane, tool truck, contractor, contractor body, utilitaire de service, camion atelier
bucket | aerial | Bucket truck | Camión canasta | Camion nacelle
  bucket truck, aerial, aerial truck, aerial lift, boom bucket, bucket truck boom truck, lift truck, cherry picker, material handler, canasta, nacelle, camion nacelle, camion canasta, over center, overcenter
  telescopic aerial, bucket van, insulated bucket, aerial bucket, canastilla, grua canastilla, plataforma aerea, ~altec, ~versalift, ~terex hi ranger, ~telelect, ~lift all, aerial device, aerial platform, forestry bucket, forestry
digger_derrick | aerial | Digger derrick | Perforadora de postes | Tarière-derrick
  digger, derrick, digger derrick truck, pole digger, pole setter, pressure digger, pole truck, auger truck, perforadora, tariere, auger, drill rig, drilling rig, drill truck
boom_truck | crane | Boom truck | Camión con pluma | Camion-flèche
  boom truck, boom, picker, picker truck, flatbed picker, ~manitex, ~national crane, wallboard, drywall, drywall boom, roofing boom, roofing, pluma, camion pluma, camion fleche, conveyor boom, sign truck, block boom, bloquera
crane | crane | Crane truck | Camión grúa | Camion-grue
  crane truck, crane body, knuckleboom, knuckle boom, knuckleboom crane, truck crane, ~hiab, articulating crane, telescopic crane, ~palfinger, ~fassi, ~effer, ~hmf, grua titan, grua hidraulica, grua articulada
  grua hiab, grua hiab titan, titan hiab, camion con grua, camioneta con grua, knuckle picker, grua telescopica, camion grua, hydraulic crane, crane, grue, camion grue, stick crane, truck mounted crane
logging | forestry | Log truck | Camión maderero | Camion forestier
  log truck, logging, log, logger, logging truck, log hauler, self loading log, timber, camion maderero, maderero, grumier, rollero
grapple | forestry | Grapple truck | Camión con garra | Camion à grappin
  grapple truck, log loader, grapple loader, garra, grappin, brush truck grapple, debris grapple
  lightning loader, ~prentice, ~petersen, camion a grappin, grapple saw
chipper | forestry | Chipper truck | Camión astillador | Camion déchiqueteur
  dechiqueteuse, chipper truck, chip truck, chip dump, chipper dump, chip box, chipper body, chip body, tree truck, arborist, forestry dump, forestry chipper, astillador, astilladora, dechiqueteur, chip, chipper dump truck, arbor
  arbor body, tree chipper, ~arbortech
plow_spreader | road | Plow / spreader | Quitanieves o esparcidor | Chasse-neige ou épandeuse
  plow truck, spreader, plow truck spreader truck, plow, snow plow, snowplow, plow truck spreader, sander, salt spreader, salt truck, sand spreader, quitanieves, chasse neige, epandeuse, saleuse, de icing, deneigeuse
  deneigement, sableuse, camion de deneigement, plow dump, wing plow
sweeper | road | Sweeper | Barredora | Balayeuse
  street sweeper, sweeper truck, sweeper body, barredora, balayeuse, balai, parking lot sweeper, vacuum sweeper, regenerative air sweeper, regenerative air, ~elgin, ~tymco, ~schwarze, ~johnston, broom truck, broom bear
attenuator | road | Attenuator truck | Camión amortiguador | Camion atténuateur
  attenuator truck, crash truck, tma, tma truck, cone truck, striping truck, paint striper, road striper, attenuateur, traffic control, scorpion attenuator, ~scorpion
grain | farm | Grain truck | Camión granelero | Camion à grain
  grain truck, grain body, grain box, farm grain truck, grain bed, granelero, granelera, grain dump, cereales, silage, silage truck, camion a grain, forage, potato box, beet box, live bottom box
ag_spreader | farm | Ag spreader | Esparcidor agrícola | Épandeur agricole
  manure spreader, manure truck, agricultural spreader, ag spreader body, fertilizer spreader, fertilizer truck, fertilizer, lime spreader, lime truck, litter spreader, compost spreader
  esparcidora, esparcidor de estiercol, esparcidora de abono, abonadora, fertilizadora, epandeur, epandeur a fumier, epandeur a chaux
feed | farm | Feed truck | Camión de alimento | Camion d’alimentation
  feed truck, feed body, feed mixer, feed delivery, bulk feed, feed mixer truck, feed wagon, feed box, alimento para ganado, moulee
livestock | farm | Livestock truck | Camión ganadero | Bétaillère
  cattle pot, ganadera, jaula de ganado, redilas ganaderas, caja ganadera
  livestock truck, livestock body, cattle, cattle truck, cattle body, horse truck, horse box, ganadero, jaula, jaula ganadera, betaillere, poultry, horse van
fire | emergency | Fire truck | Camión de bomberos | Camion d’incendie
  fire truck, fire apparatus, =pumper, =ladder, fire engine, ladder truck, aerial ladder, pumper tanker, pumper fire, fire rescue, rescue truck, rescue, brush truck, wildland, bombero, bomberos, incendie
  camion de pompier, pompier, quint, water tender, fire tanker, fire pumper, aerial fire, arff, squirt, squirt boom, telesquirt, camion d incendie, carro de bomberos, autopompe
ambulance | emergency | Ambulance | Ambulancia | Ambulance
  ambulancia, type iii ambulance, type i ambulance, medic unit
bus | bus | Bus | Autobús | Autobus
  school bus, shuttle bus, transit bus, coach, motor coach, motorcoach, autobus, autobus escolar, autobus scolaire, camion escolar, bus scolaire, camion de pasajeros, omnibus, minibus, party bus, passenger bus
  commercial bus, activity bus, cutaway bus, paratransit bus, autocar
other | other | Other | Otro | Autre
  otro, autre, conveyor truck, stone slinger, hot box, asphalt hot box, patcher, pothole patcher, =misc, =miscellaneous, =specialty, =special purpose, specialty body
pickup | pickup | Pickup | Pickup | Camionnette
  pick up, pickup truck, ~dually, crew cab pickup, camionnette, pick up truck, extended cab pickup, regular cab pickup, standard pickup, short bed, long bed, caisse longue, caisse courte, =truck crew cab
`;
