import { serve } from '../../../lib/http/serve.ts';
import { getWidgetInventory } from '../../../lib/search/widget/routes.ts';

export default serve(getWidgetInventory);
