declare module 'virtual:nav' {
  /** By language: the words of the frame, and the names of pages and commands by feature. */
  const words: Record<string, { 'shell/frame': Record<string, unknown>; nav: Record<string, Record<string, string>> }>;
  export default words;
}
declare module 'virtual:mantine.css';
declare module 'virtual:mantine-pages.css';
