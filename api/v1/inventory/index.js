import { serve } from '../../../lib/http/serve.ts';
import { patchInventory, postInventory } from '../../../lib/inventory/routes/inventory.ts';
import { searchInventory } from '../../../lib/search/routes.ts';

export default serve(postInventory, searchInventory, patchInventory);
