import { deleteInventory, getInventory } from '../../../lib/endpoints/inventory/listing.ts';
import { serve } from '../../../lib/http/serve.ts';

export default serve(getInventory, deleteInventory);
