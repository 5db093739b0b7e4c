import { serve } from '../../../lib/http/serve.ts';
import { deleteInventory, getInventory } from '../../../lib/inventory/routes/listing.ts';

export default serve(getInventory, deleteInventory);
