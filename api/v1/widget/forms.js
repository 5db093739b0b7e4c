import { serve } from '../../../lib/http/serve.ts';
import { getWidgetForms } from '../../../lib/leads/routes/widget-forms.ts';

export default serve(getWidgetForms);
