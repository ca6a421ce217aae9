import type { ComponentType } from 'react';
import type { IconProps } from '@tabler/icons-react';
import type { Href } from './addresses';
import type { EventRule } from './events/rules';
import type { Permission } from './session/me';

/** One part of the console: its pages, where the navigation names them, and its commands. */
export interface Feature {
  /** The name of its folder, which is that of the slice in the API and of its words. */
  name: string;
  pages: readonly PageRoute[];
  navigation?: readonly NavEntry[];
  commands?: readonly Command[];
  /** What events do to the answers that this part reads. */
  events?: readonly EventRule[];
  /** A button at the top of every page; loaded with the first of them. */
  header?: () => Promise<{ default: ComponentType }>;
  /** Finds records by what is typed into the palette. */
  search?: (text: string, signal: AbortSignal) => Promise<Found[]>;
}

export interface PageRoute {
  /** Below /console, as in /recipients/$id. */
  path: string;
  /** Shown instead of "not allowed" by whoever has it. */
  needs?: Permission;
  load: () => Promise<{ default: ComponentType }>;
  /** The list that this page is opened from: it stays mounted, and is shown beside the page where there is room. */
  within?: string;
  /** The page has the whole width: the list is kept, and not shown beside it. */
  full?: true;
  /** Of a list: it stands beside what is opened from it on a smaller window too. */
  near?: true;
  /** Asks for what it shows first while its code is on its way. */
  ahead?: (can: (p: Permission) => boolean) => unknown;
}

/** The parts of the navigation, of which one is open. */
export const areas = ['work', 'organization', 'developers', 'map', 'platform'] as const;
export type Area = (typeof areas)[number];

export interface NavEntry {
  /** The key of "nav" in the words of the feature. */
  label: string;
  to: Href;
  icon: ComponentType<IconProps>;
  needs?: Permission;
  area: Area;
  /**
   * Its place in the area, ascending: 0 home, 10 campaigns, 20 recipients, 30 inbox, 40 templates, 50 seller,
   * 60 insights, 70 accounts in "work".
   */
  order: number;
  /** The address of the entry that it belongs to: it is shown while that one, or itself, is open. */
  below?: Href;
  /** Pages that belong to it, and whose addresses do not begin as its own. */
  also?: Href;
  /** How many things wait there; loaded behind the frame. bar: it stands in the bar of a phone. */
  count?: () => Promise<{ default: ComponentType<{ bar?: true }> }>;
}

/** Something that the palette can do beside opening the pages of the navigation. */
export interface Command {
  label: string;
  to: Href;
  icon: ComponentType<IconProps>;
  needs?: Permission;
}

export interface Found {
  id: string;
  label: string;
  description?: string;
  to: Href;
}
