declare module 'virtual:nav' {
  /** By language, the names of pages and commands by feature. */
  const words: Record<string, Record<string, Record<string, string>>>;
  export default words;
}
declare module 'virtual:mantine.css';
declare module 'virtual:mantine-pages.css';
