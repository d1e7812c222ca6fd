/* none.c - a library that is no tool. */
int portable_test_is_no_tool(void);
int portable_test_is_no_tool(void) { return 1; }
