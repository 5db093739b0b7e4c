import { getWidgetInventory } from '../../../lib/endpoints/widget-inventory.ts';
import { serve } from '../../../lib/http/serve.ts';

export default serve(getWidgetInventory);
