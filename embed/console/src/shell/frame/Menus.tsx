// The menus of the frame. What opens them (MenuButtons.tsx) is in the first load, they come behind it.
import 'virtual:mantine-pages.css';

export { AreasMenu } from './AreasMenu';
export { OrganizationMenu } from './OrganizationMenu';
export { UserMenu } from './UserMenu';
