import './app.css';
import { Page } from './page';

new Page();
