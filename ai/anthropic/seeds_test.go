package anthropic

var seeds = []string{
	`{"id":"m","type":"message","content":[{"type":"thinking"},{"type":"text","text":"{\"a\":\"x\",\"b\":[1]}"}],"stop_reason":"end_turn","usage":{"input_tokens":3,"cache_read_input_tokens":4,"output_tokens":5}}`,
	`{"content":[{"type":"tool_use","id":"t","name":"f","input":{"a":1}}],"stop_reason":"tool_use"}`,
	`{"content":[],"stop_reason":"refusal"}`,
	`{"content":[],"stop_reason":"model_context_window_exceeded"}`,
	`{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`,
	`{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low"}}`,
	`{"content":[{"type":"text","text":"{\"a\":\"x\",\"b\":[]}"}],"stop_reason":"end_turn","usage":{"input_tokens":9223372036854775807,"cache_read_input_tokens":9223372036854775807,"cache_creation_input_tokens":9223372036854775807,"output_tokens":9223372036854775807}}`,
	`<html>`, ``, `null`, `[]`, `{"data":[{"id":"m","display_name":"M"}]}`,
}
