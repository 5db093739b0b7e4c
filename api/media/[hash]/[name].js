import { getMedia } from '../../../lib/endpoints/media.ts';
import { serve } from '../../../lib/http/serve.ts';

export default serve(getMedia);
