// Where notices appear; loaded after the first page.
import 'virtual:mantine-pages.css';
import '@mantine/notifications/styles.css';
import { Notifications } from '@mantine/notifications';

export { notifications } from '@mantine/notifications';
export { Copy } from './Copy';

export default function Notices() {
  return <Notifications position="bottom-right" limit={4} />;
}
