import { serve } from '../../../lib/http/serve.ts';
import { getWidgetForms } from '../../../lib/leads/routes/widget.ts';

export default serve(getWidgetForms);
