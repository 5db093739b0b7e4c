import { deleteInventory, getInventory } from '../../../lib/endpoints/inventory.ts';
import { serve } from '../../../lib/http/serve.ts';

export default serve(getInventory, deleteInventory);
