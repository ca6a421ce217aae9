import 'virtual:mantine.css';
import './shell/theme/base.css';
import { createRoot } from 'react-dom/client';
import { App } from '@shell/App';
import { begin } from '@shell/ahead';
import { startLanguage } from '@shell/language/i18n';
import { features } from './features';

const words = startLanguage();
void begin(features, location.pathname.replace(/^\/console/, ''));
await words;
sessionStorage.removeItem('svc.reloaded');
createRoot(document.getElementById('root')!).render(<App features={features} />);
