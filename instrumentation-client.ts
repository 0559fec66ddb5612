/** Next looks for its hooks in a browser here. */
export { onRouterTransitionStart } from "@/components/shell/progress/navigations";
